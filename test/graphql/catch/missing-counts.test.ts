import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemCaller } from '../../../src/kernel/context.js';
import { eraseFromCrashes } from '../../../src/modules/catch/crashes/crash-erasure.sql.js';
import { buildWorld, setPlan, type World } from '../../support/factories/factories.js';
import { artifactOf, uploadSymbols } from '../../support/symbols/symbol-client.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

const DAY_MS = 86_400_000;
/** Of the plan `hobby`. */
const RETENTION_DAYS = 90;
const QUERY = `query($p: ID!) { missingSymbols(projectId: $p) { kind key image events release firstSeenAt lastSeenAt } }`;
/** What the query should answer, counted from the events themselves. */
const PLAINLY = `
  select split_part(m.missing, ':', 1) as kind, ltrim(split_part(m.missing, ':', 2), '@') as key,
         (array_agg((select i.image ->> 'codeFile' from jsonb_array_elements(payload -> 'images') as i(image)
                      where i.image ->> 'debugId' = split_part(m.missing, ':', 2)) order by received_at desc, event_id desc))[1] as image,
         count(*)::int as events,
         (array_agg(release order by received_at desc, event_id desc) filter (where release is not null))[1] as release,
         min(received_at) as "firstSeenAt", max(received_at) as "lastSeenAt"
    from crash_event, unnest(missing) as m(missing)
   where project_id = $1 and environment = 'live' and received_at >= $2
   group by m.missing order by count(*) desc, m.missing`;
const MAPPING = Buffer.from('com.example.Main -> a.b:\n    1:1:void main() -> a\n');
const IMAGES = ['0'.repeat(31), '1'.repeat(31), '2'.repeat(31)];

const counts = suite<{ test: TestApp }>('counts of missing symbols');

counts.before(async (context) => {
  context.test = await openTestApp();
});
counts.after(({ test }) => test.close());

/** The same numbers each run: a linear congruential generator. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

async function compare({ app, clock }: TestApp, { owner, projectId }: World, when: string): Promise<number> {
  const first = new Date(clock.now().getTime() - 30 * DAY_MS).toISOString().slice(0, 10);
  const { rows } = await app.pool.query<object>(PLAINLY, [projectId, `${first}T00:00:00Z`]);
  const { missingSymbols } = await owner.client.graphql<{ missingSymbols: object[] }>(QUERY, { p: projectId });
  assert.equal(missingSymbols, JSON.parse(JSON.stringify(rows)), when);
  return rows.length;
}

counts('are those of the events at every moment, whatever comes, goes and changes', async ({ test }) => {
  const world = await buildWorld(test);
  await setPlan(world);
  const { projectId } = world;
  const { services } = test.app;
  const number = numbers(20_261_123);
  const uploaded: string[] = [];
  const event = () => {
    const release = [null, '1.0', '2.0', `release of person-${number(3)}`][number(4)];
    const image = `${IMAGES[number(3)]}f`;
    return number(2)
      ? { platform: 'android', release, exception: { type: 'E', frames: [{ module: 'a.b', function: 'a', line: 1 }] } }
      : {
          platform: 'linux',
          release,
          exception: { type: 'SIGSEGV', frames: [{ address: '0x1010' }, { address: '0x9010' }] },
          debug_images: [image, `${'9'.repeat(31)}f`].map((debugId, at) => ({
            type: 'elf',
            debug_id: debugId,
            code_file: `/opt/game/${number(100)}.so`,
            image_addr: at ? '0x9000' : '0x1000',
            image_size: 4096,
          })),
        };
  };
  const steps: Record<string, () => Promise<unknown>> = {
    send: () =>
      world.live.post('/api/catch/events', {
        events: Array.from({ length: 1 + number(3) }, () => ({ event_id: randomUUID(), ...event() })),
      }),
    symbolicate: () => services.crashSymbolication.run(projectId, 'live'),
    count: () => services.missingCounts.count(test.clock.now()),
    upload: async () => {
      const release = `${1 + number(2)}.0`;
      const artifact = artifactOf(
        await uploadSymbols(
          world.owner.client,
          { name: 'mapping.txt', bytes: MAPPING },
          { kind: 'android_mapping', release },
        ),
      );
      uploaded.push(artifact.id);
      await services.symbolConversion.convert(artifact.id);
    },
    'delete symbols': async () => {
      const id = uploaded.pop();
      if (id) await world.owner.client.delete(`/api/v1/catch/symbols/${id}`);
    },
    reprocess: () =>
      world.owner.client.graphql(
        'mutation($i: ReprocessCrashEventsInput!) { reprocessCrashEvents(input: $i) { events } }',
        {
          i: { projectId, environment: 'live' },
        },
      ),
    'erase a person': () => {
      const person = { projectId, environment: 'live' as const, ids: [`person-${number(3)}`] };
      return test.app.parts.tx.write(systemCaller('test', randomUUID()), (ctx) => eraseFromCrashes(ctx, person, null));
    },
    'delete what is old': () =>
      services.crashRetention.deleteExpired(
        new Date(test.clock.now().getTime() + (RETENTION_DAYS - number(3)) * DAY_MS),
      ),
    'go on': async () => test.clock.advance((1 + number(40)) * 3_600_000),
  };
  const names = Object.keys(steps);
  let seen = 0;
  for (let round = 0; round < 16; round += 1) {
    const chosen = [names[number(names.length)] as string, 'send', 'symbolicate'];
    for (const name of chosen) await steps[name]?.();
    seen += await compare(test, world, `round ${round}: ${chosen.join(', ')}`);
    if (number(3) > 0) continue;
    const together = ['count', 'symbolicate', names[number(names.length)] as string];
    await Promise.all(together.map((name) => steps[name]?.()));
    await compare(test, world, `round ${round}: ${together.join(' beside ')}`);
  }
  assert.ok(seen > 16, `${seen} symbols were missing`);
  await services.missingCounts.count(test.clock.now());
  await compare(test, world, 'at the end');
  const { rows } = await test.app.pool.query('select from crash_missing_note where project_id = $1', [projectId]);
  assert.is(rows.length, 0);
});

counts('keep nothing of a person who was erased', async ({ test }) => {
  const world = await buildWorld(test);
  await world.live.post('/api/catch/events', {
    event_id: randomUUID(),
    platform: 'android',
    release: 'build of somebody',
    exception: { type: 'E', frames: [{ module: 'a.b', function: 'a', line: 1 }] },
  });
  await test.app.services.crashSymbolication.run(world.projectId, 'live');
  const told = async () => {
    const { rows } = await test.app.pool.query<{ told: string }>(
      'select concat(missing, release) as told from crash_missing_day where project_id = $1',
      [world.projectId],
    );
    return rows.some((row) => row.told.includes('somebody'));
  };
  assert.ok(await told());
  const person = { projectId: world.projectId, environment: 'live' as const, ids: ['somebody'] };
  await test.app.parts.tx.write(systemCaller('test', randomUUID()), (ctx) => eraseFromCrashes(ctx, person, null));
  assert.not(await told());
  await compare(test, world, 'after the erasure');
});

counts.run();
