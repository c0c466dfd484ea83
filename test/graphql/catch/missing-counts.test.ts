import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { systemCaller } from '../../../src/kernel/context.js';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/values/durations.js';
import { eraseFromCrashes } from '../../../src/modules/catch/crashes/crash-erasure.sql.js';
import { isSystemImage } from '../../../src/symbols/system-image.js';
import { numbers } from '../../harness/pseudo-random.js';
import { refuseRows } from '../../support/database.js';
import { buildWorld, setPlan, type World } from '../../support/factories/factories.js';
import { appSuite } from '../../support/factories/world-suite.js';
import { artifactOf, uploadSymbols } from '../../support/symbols/symbol-client.js';
import type { TestApp } from '../../support/test-app.js';

/** The retention of the plan `hobby`. */
const RETENTION_DAYS = 90;
const QUERY = `query($p: ID!) { missingSymbols(projectId: $p) { kind key image isSystem events release firstSeenAt lastSeenAt } }`;
/** What the query should return, counted from the events themselves. */
const PLAINLY = `
  select split_part(m.missing, ':', 1) as kind, ltrim(split_part(m.missing, ':', 2), '@') as key,
         (array_agg((select i.image ->> 'codeFile' from jsonb_array_elements(payload -> 'images') as i(image)
                      where i.image ->> 'debugId' = split_part(m.missing, ':', 2)) order by received_at desc, event_id desc))[1] as image,
         (array_agg(platform order by received_at desc, event_id desc))[1] as platform, count(*)::int as events,
         (array_agg(release order by received_at desc, event_id desc) filter (where release is not null))[1] as release,
         min(received_at) as "firstSeenAt", max(received_at) as "lastSeenAt"
    from crash_event, unnest(missing) as m(missing)
   where project_id = $1 and environment = 'live' and received_at >= (select first from crash_missing_window)::timestamp at time zone 'UTC'
   group by m.missing order by count(*) desc, m.missing`;
const MAPPING = Buffer.from('com.example.Main -> a.b:\n    1:1:void main() -> a\n');
const IMAGES = ['0'.repeat(31), '1'.repeat(31), '2'.repeat(31)];

const counts = appSuite('counts of missing symbols');

interface Counted {
  image: string | null;
  platform: string;
}

async function compare({ app }: TestApp, { owner, projectId }: World, when: string): Promise<number> {
  const { rows } = await app.pool.query<Counted>(PLAINLY, [projectId]);
  const wanted = rows.map(({ platform, ...row }) => {
    return { ...row, isSystem: row.image !== null && isSystemImage(row.image, platform) };
  });
  const { missingSymbols } = await owner.client.graphql<{ missingSymbols: object[] }>(QUERY, { p: projectId });
  const ordered = [...wanted.filter((one) => !one.isSystem), ...wanted.filter((one) => one.isSystem)];
  assert.equal(missingSymbols, JSON.parse(JSON.stringify(ordered)), when);
  return rows.length;
}

counts('always match the events, whatever is added, deleted and changed', async ({ test }) => {
  const world = await buildWorld(test);
  await setPlan(world);
  const { projectId } = world;
  const { services } = test.app;
  const number = numbers(20_261_123);
  const uploaded: string[] = [];
  const event = () => {
    const release = [null, '1.0', '2.0', `release of person-${number(3)}`][number(4)];
    const image = `${IMAGES[number(3)]}f`;
    const folder = ['/opt/game', '/usr/lib', `/home/person-${number(3)}`][number(3)];
    return number(2)
      ? { platform: 'android', release, exception: { type: 'E', frames: [{ module: 'a.b', function: 'a', line: 1 }] } }
      : {
          platform: ['linux', 'ios', 'native'][number(3)],
          release,
          exception: { type: 'SIGSEGV', frames: [{ address: '0x1010' }, { address: '0x9010' }] },
          debug_images: [image, `${'9'.repeat(31)}f`].map((debugId, at) => ({
            type: 'elf',
            debug_id: debugId,
            code_file: `${folder}/${number(100)}.so`,
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
      return test.app.parts.tx.write(systemCaller('test'), (ctx) => eraseFromCrashes(ctx, person, null));
    },
    'delete what is old': () =>
      services.crashRetention.deleteExpired(
        new Date(test.clock.now().getTime() + (RETENTION_DAYS - number(3)) * DAY_MS),
      ),
    'go on': async () => test.clock.advance((1 + number(40)) * HOUR_MS),
  };
  const names = Object.keys(steps);
  let seen = 0;
  for (let round = 0; round < 16; round += 1) {
    const chosen = [names[number(names.length)] as string, 'send', 'symbolicate'];
    for (const name of chosen) await steps[name]?.();
    seen += await compare(test, world, `round ${round}: ${chosen.join(', ')}`);
    if (number(3) > 0) continue;
    await steps.send?.();
    const together = ['count', 'symbolicate', 'symbolicate', names[number(names.length)] as string];
    await Promise.all(together.map((name) => steps[name]?.()));
    await compare(test, world, `round ${round}: ${together.join(' beside ')}`);
  }
  assert.ok(seen > 16, `${seen} symbols were missing`);
  await services.missingCounts.count(test.clock.now());
  await compare(test, world, 'at the end');
  const { rows } = await test.app.pool.query<{ first: string }>('select first::text from crash_missing_window');
  const first = new Date(test.clock.now().getTime() - 30 * DAY_MS).toISOString().slice(0, 10);
  assert.equal(rows, [{ first }], 'a month is counted');
});

async function crash(test: TestApp, { live, projectId }: World, release: string): Promise<void> {
  const frames = [{ module: 'a.b', function: 'a', line: 1 }];
  const event = { event_id: randomUUID(), platform: 'android', release, exception: { type: 'E', frames } };
  await live.post('/api/catch/events', event);
  await test.app.services.crashSymbolication.run(projectId, 'live');
}

/** Marks each counted day as uncounted, as an upgrade does. */
async function forgetCounts({ app }: TestApp): Promise<void> {
  await app.pool.query(
    'insert into crash_missing_note select distinct project_id, environment, day from crash_missing_day',
  );
  await app.pool.query('delete from crash_missing_day');
  await app.pool.query('delete from crash_missing_symbol');
}

counts('of days that no trigger counted come from their events', async ({ test }) => {
  const world = await buildWorld(test);
  for (const release of ['1.0', '1.0', '2.0']) {
    await crash(test, world, release);
    test.clock.advance(DAY_MS);
  }
  await forgetCounts(test);
  await test.app.services.missingCounts.count(test.clock.now());
  assert.is(await compare(test, world, 'after the count'), 2);
  const { rows } = await test.app.pool.query('select from crash_missing_note');
  assert.is(rows.length, 0);
});

counts('of other projects are kept when the database refuses those of one', async ({ test }) => {
  const neighbour = await buildWorld(test);
  const world = await buildWorld(test);
  assert.ok(neighbour.projectId < world.projectId, 'the neighbor comes first');
  for (const each of [neighbour, world]) await crash(test, each, '1.0');
  await forgetCounts(test);
  const isNeighbours = `new.project_id = '${neighbour.projectId}'`;
  const noted = async () => {
    const { rows } = await test.app.pool.query<{ project_id: string }>('select project_id from crash_missing_note');
    return rows.map(({ project_id }) => project_id);
  };
  const accept = await refuseRows(test.app.pool, 'crash_missing_symbol', isNeighbours);
  await test.app.services.missingCounts.count(test.clock.now());
  assert.is(await compare(test, world, 'beside a project that is refused'), 1);
  assert.equal(await noted(), [neighbour.projectId], 'its day waits');
  await accept();
  await test.app.services.missingCounts.count(test.clock.now());
  assert.is(await compare(test, neighbour, 'once it is taken'), 1);
  assert.equal(await noted(), []);
});

counts('treat the same libraries as system libraries as symbolication does', async ({ test }) => {
  const folders = [
    '',
    '/',
    '/opt',
    '/private/preboot',
    '/System',
    '/usr/lib',
    '/usr/lib64',
    '/lib32',
    '/libx32',
    '/library',
  ];
  folders.push(
    '/Library/Apple',
    '/Library/Developer',
    '/Library',
    '/A/CoreSimulator/7\n/System',
    '/RuntimeRoot/usr/lib',
  );
  folders.push(
    '/A/CoreSimulator/7/x/System',
    '/system',
    '/system_ext',
    '/apex',
    '/vendor',
    '/product',
    '/odm',
    '/data',
    '[linux-vdso',
  );
  folders.push(
    'linux-gate',
    '[vdso',
    '[vectors',
    'x[vdso',
    'C:\\Windows',
    'c:/WINDOWS',
    'CC:\\Windows',
    'C:\\Program Files\\Windows',
  );
  const platforms = [
    'ios',
    'macos',
    'tvos',
    'watchos',
    'visionos',
    'cocoa',
    'android',
    'linux',
    'windows',
    'native',
    'IOS',
    'toString',
    '',
  ];
  const asked = platforms.flatMap((platform) =>
    folders.flatMap((folder) => ['/a.so', '\\a.dll', ']'].map((name) => ({ path: folder + name, platform }))),
  );
  const { rows } = await test.app.pool.query<object>(
    'select path, platform, is_system_image(path, platform) as system from unnest($1::text[], $2::text[]) a(path, platform)',
    [asked.map(({ path }) => path), asked.map(({ platform }) => platform)],
  );
  assert.equal(
    rows,
    asked.map(({ path, platform }) => ({ path, platform, system: isSystemImage(path, platform) })),
  );
});

counts('keep nothing of an erased person', async ({ test }) => {
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
      `select concat(missing, release, image) as told from crash_missing_day where project_id = $1
       union all select concat(missing, release, image) from crash_missing_symbol where project_id = $1`,
      [world.projectId],
    );
    return rows.some((row) => row.told.includes('somebody'));
  };
  assert.ok(await told());
  const person = { projectId: world.projectId, environment: 'live' as const, ids: ['somebody'] };
  await test.app.parts.tx.write(systemCaller('test'), (ctx) => eraseFromCrashes(ctx, person, null));
  assert.not(await told());
  await compare(test, world, 'after the erasure');
});

counts.run();
