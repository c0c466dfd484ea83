import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { type GraphqlRefusal, refusalOf } from '../support/client.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { appSuite } from '../support/factories/world-suite.js';
import { until } from '../support/until.js';

const triage = appSuite('triage of crash issues', { worker: true });

interface Issue {
  id: string;
  title: string;
  status: string;
  ignored: boolean;
  eventCount: number;
  ignoredUntilCount: number | null;
}

const FIELDS = 'id title status ignored eventCount ignoredUntilCount';

/** Sends crashes with one cause and waits until its issue, or the one it was merged into, has this count. */
async function crash(
  world: World,
  cause: string,
  times: number,
  { counted = times, shown = cause } = {},
): Promise<Issue> {
  const exception = { type: cause, value: cause, frames: [{ function: cause, file: 'app.js', line: 1, in_app: true }] };
  const events = Array.from({ length: times }, (_, person) => ({
    event_id: randomUUID(),
    platform: 'node',
    exception,
    distinct_id: `person-${person % 2}`,
  }));
  await world.live.post('/api/catch/events', { events });
  return until('the crashes are counted', async () => {
    const issue = (await issuesOf(world)).find(({ title }) => title.startsWith(`${shown}:`));
    return issue?.eventCount === counted && issue;
  });
}

async function issuesOf({ owner, projectId }: World, filter = ''): Promise<Issue[]> {
  const { crashIssues } = await owner.client.graphql<{ crashIssues: { nodes: Issue[] } }>(
    `query($p: ID!) { crashIssues(projectId: $p, first: 100${filter}) { nodes { ${FIELDS} } } }`,
    { p: projectId },
  );
  return crashIssues.nodes;
}

async function change<T = Issue>({ owner }: World, mutation: string, input: object, fields = FIELDS): Promise<T> {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
  const named = /^(resolve|reopen|unmerge)/.test(mutation) ? 'IdInput' : type;
  const answer = await owner.client.graphql<Record<string, T>>(
    `mutation($i: ${named}!) { ${mutation}(input: $i) { ${fields} } }`,
    { i: input },
  );
  return answer[mutation] as T;
}

triage('an ignored issue reopens at the agreed event, and alert rules are silent until then', async ({ test }) => {
  const world = await buildWorld(test);
  await world.owner.client.graphql('mutation($i: CreateAlertRuleInput!) { createAlertRule(input: $i) { id } }', {
    i: { projectId: world.projectId, name: 'many', condition: 'event_count', threshold: 3 },
  });
  const { id } = await crash(world, 'Noisy', 2);
  const ignored = await change(world, 'ignoreCrashIssue', { id, events: 2 });
  assert.equal([ignored.ignored, ignored.ignoredUntilCount], [true, 4]);
  assert.is((await issuesOf(world, ', filter: { ignored: { eq: false } }')).length, 0);
  assert.ok((await crash(world, 'Noisy', 1, { counted: 3 })).ignored);
  assert.is((await crash(world, 'Noisy', 1, { counted: 4 })).ignored, false);
  const { rows } = await test.app.pool.query<{ kind: string }>(
    `select kind from event_log where project_id = $1 and kind ~ '^catch\\.(issue|alert)\\.' order by sequence`,
    [world.projectId],
  );
  assert.equal(
    rows.map(({ kind }) => kind),
    ['catch.issue.created', 'catch.issue.ignored', 'catch.issue.reopened', 'catch.alert.fired'],
  );
});

triage('ignoring ends at its time, by hand, and when the issue is resolved', async ({ test }) => {
  const world = await buildWorld(test);
  const { id } = await crash(world, 'Late', 1);
  for (const [field, value] of [
    ['until', '2020-01-01T00:00:00Z'],
    ['events', 0],
  ] as const) {
    const { code, errors } = await refusalOf(change(world, 'ignoreCrashIssue', { id, [field]: value }));
    assert.equal([code, errors[0]?.extensions.details?.field], ['BAD_IGNORE', field]);
  }
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await change(world, 'ignoreCrashIssue', { id, until });
  assert.ok((await crash(world, 'Late', 1, { counted: 2 })).ignored);
  await test.app.pool.query(`update crash_issue set ignored_until = now() - interval '1 hour' where id = $1`, [id]);
  assert.is((await crash(world, 'Late', 1, { counted: 3 })).ignored, false);
  await change(world, 'ignoreCrashIssue', { id });
  assert.is((await change(world, 'resolveCrashIssue', { id })).ignored, false);
  assert.is((await change(world, 'reopenCrashIssue', { id })).status, 'open');
});

triage('issues can be assigned only to members', async ({ test }) => {
  const world = await buildWorld(test);
  const stranger = await buildWorld(test);
  const { id } = await crash(world, 'Mine', 1);
  const me = world.owner.id;
  const fields = 'assigneeId assignee { email }';
  const mine = { assigneeId: me, assignee: { email: world.owner.email } };
  for (const userId of [me.toUpperCase(), me])
    assert.equal(await change(world, 'assignCrashIssue', { id, userId }, fields), mine);
  assert.is((await issuesOf(world, `, filter: { assigneeId: { eq: "${me}" } }`)).length, 1);
  for (const userId of [stranger.owner.id, 'nobody'])
    assert.is((await refusalOf(change(world, 'assignCrashIssue', { id, userId }))).code, 'MEMBER_NOT_FOUND');
  assert.equal(await change(world, 'assignCrashIssue', { id }, fields), { assigneeId: null, assignee: null });
});

triage('merged issues count together, including later events, and separate with their own counts', async ({ test }) => {
  const world = await buildWorld(test);
  const [one, other] = [await crash(world, 'One', 2), await crash(world, 'Other', 3)];
  const fields = 'eventCount merged { id } events { totalCount } activity { people days isEstimate }';
  const whole = await change<{ activity: { days: number[] } }>(
    world,
    'mergeCrashIssues',
    { intoId: one.id, ids: [other.id] },
    fields,
  );
  assert.equal(whole, {
    eventCount: 5,
    merged: [{ id: other.id }],
    events: { totalCount: 5 },
    activity: { people: 2, days: [...Array(13).fill(0), 5], isEstimate: false },
  });
  assert.equal(
    (await issuesOf(world)).map(({ id }) => id),
    [one.id],
  );
  await change(world, 'resolveCrashIssue', { id: one.id });
  const back = await crash(world, 'Other', 1, { counted: 6, shown: 'One' });
  assert.is(back.status, 'open');
  assert.equal(await change(world, 'unmergeCrashIssue', { id: other.id }, 'eventCount status mergedInto { id }'), {
    eventCount: 4,
    status: 'open',
    mergedInto: null,
  });
  assert.equal((await issuesOf(world)).map(({ eventCount }) => eventCount).toSorted(), [2, 4]);
  const { rows } = await test.app.pool.query(
    "select before, after from event_log where project_id = $1 and kind ~ 'merged$' order by sequence",
    [world.projectId],
  );
  const [apart, joined] = [{ merged_into_id: null }, { merged_into_id: one.id }];
  assert.equal(rows, [
    { before: apart, after: joined },
    { before: joined, after: apart },
  ]);
});

triage(
  'a part that is separated stays ignored like the whole, for the same number of further events',
  async ({ test }) => {
    const world = await buildWorld(test);
    const [one, other] = [await crash(world, 'Whole', 1), await crash(world, 'Part', 3)];
    await change(world, 'ignoreCrashIssue', { id: one.id, events: 2 });
    const whole = await change(world, 'mergeCrashIssues', { intoId: one.id, ids: [other.id] });
    assert.equal([whole.ignored, whole.eventCount, whole.ignoredUntilCount], [true, 4, 6]);
    assert.ok((await crash(world, 'Whole', 1, { counted: 5 })).ignored);
    const part = await change(world, 'unmergeCrashIssue', { id: other.id });
    assert.equal([part.ignored, part.eventCount, part.ignoredUntilCount], [true, 3, 4]);
    const left = (await issuesOf(world)).find(({ id }) => id === one.id);
    assert.equal([left?.ignored, left?.eventCount, left?.ignoredUntilCount], [true, 2, 3]);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await change(world, 'ignoreCrashIssue', { id: one.id, until });
    await change(world, 'mergeCrashIssues', { intoId: one.id, ids: [other.id] });
    assert.equal(await change(world, 'unmergeCrashIssue', { id: other.id }, 'ignored ignoredUntil ignoredUntilCount'), {
      ignored: true,
      ignoredUntil: until,
      ignoredUntilCount: null,
    });
  },
);

triage('of concurrent merges that would hide issues, one is refused', async ({ test }) => {
  const world = await buildWorld(test);
  const [a, b, c] = [await crash(world, 'A', 1), await crash(world, 'B', 1), await crash(world, 'C', 1)];
  const d = await crash(world, 'D', 1);
  const lock = await test.app.pool.connect();
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  /** Lets merges reach the lock, in this order, before the first continues. */
  const atOnce = async (...merges: [intoId: string, part: string][]) => {
    await lock.query("select pg_advisory_lock(hashtextextended('catch ' || $1, 1))", [world.projectId]);
    const ends: Promise<string>[] = [];
    for (const [intoId, part] of merges) {
      const merge = change(world, 'mergeCrashIssues', { intoId, ids: [part] });
      ends.push(
        merge.then(
          () => 'merged',
          ({ code }: GraphqlRefusal) => code ?? 'failed',
        ),
      );
      await until('it waits', async () => (await lock.query(waiting)).rowCount === ends.length);
    }
    await lock.query("select pg_advisory_unlock(hashtextextended('catch ' || $1, 1))", [world.projectId]);
    return Promise.all(ends);
  };
  try {
    assert.equal(await atOnce([a.id, b.id], [b.id, a.id]), ['merged', 'BAD_MERGE']);
    assert.equal(await atOnce([c.id, a.id], [a.id, d.id]), ['merged', 'BAD_MERGE']);
    const shown = new Map((await issuesOf(world)).map(({ id, eventCount }) => [id, eventCount]));
    assert.equal(
      shown,
      new Map([
        [d.id, 1],
        [c.id, 3],
      ]),
    );
  } finally {
    lock.release();
  }
});

triage('issues that cannot be merged are refused', async ({ test }) => {
  const world = await buildWorld(test);
  const [one, other, third] = [await crash(world, 'A', 1), await crash(world, 'B', 1), await crash(world, 'C', 1)];
  const foreign = await crash(await buildWorld(test), 'A', 1);
  const merge = (intoId: string, ids: string[]) => change(world, 'mergeCrashIssues', { intoId, ids });
  const refused = async (intoId: string, ids: string[]) => {
    const { code, errors } = await refusalOf(merge(intoId, ids));
    return [code, ...(errors[0]?.extensions.fields ?? []).map(({ path }) => path)];
  };
  assert.equal(await refused(one.id, [one.id]), ['BAD_MERGE', 'ids']);
  assert.equal(await refused(one.id, [foreign.id]), ['ISSUE_NOT_FOUND']);
  assert.is((await refusalOf(change(world, 'unmergeCrashIssue', { id: one.id }))).code, 'ISSUE_NOT_MERGED');
  await merge(other.id, [third.id]);
  assert.equal(await refused(third.id, [one.id]), ['BAD_MERGE', 'intoId']);
  assert.equal(await refused(one.id, [third.id]), ['BAD_MERGE', 'ids']);
  assert.is((await merge(one.id, [other.id])).eventCount, 3);
  assert.is((await issuesOf(world)).length, 1);
});

triage(
  'flags changed shortly before an issue was first seen are listed, except those of the other environment',
  async ({ test }) => {
    const world = await buildWorld(test);
    const flag = await buildFlag(world, { key: 'new.cart' });
    const { id } = await crash(world, 'Suspect', 1);
    await buildFlag(world, { key: 'afterwards' });
    const { crashIssue } = await world.owner.client.graphql<{ crashIssue: { suspectFlagChanges: object[] } }>(
      `{ crashIssue(id: "${id}") { suspectFlagChanges { action versionNumber flag { id key } } } }`,
    );
    assert.equal(crashIssue.suspectFlagChanges, [
      { action: 'created', versionNumber: 1, flag: { id: flag.id, key: 'new.cart' } },
    ]);
  },
);

triage.run();
