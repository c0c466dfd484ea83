import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../src/app.js';
import { HOUR_MS } from '../../src/kernel/values/durations.js';
import { ensureEventPartitions } from '../../src/modules/ingest/events/event-partitions.js';
import { outdateCopy } from '../../src/storage/analytics/analytics-state.js';
import {
  ago,
  type Counts,
  eventCounts,
  failureOf,
  INSERT_AT,
  surveyResults,
  track,
  withOpenTransaction,
} from '../support/analytics/analytics-calls.js';
import { openTestClickHouse, PASSWORD, type TestClickHouse } from '../support/analytics/clickhouse.js';
import { refusalOf } from '../support/client.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** The same assertions hold for a stand-in and, with TEST_CLICKHOUSE_URL, for a real server. */
const x = suite('analytics store');

let clickhouse: TestClickHouse;
let test: TestApp;
let world: World;

const copier = () => {
  const { analyticsCopier } = test.app.services;
  if (!analyticsCopier) throw new Error('no copier without CLICKHOUSE_URL');
  return analyticsCopier;
};
const send = async (...operations: object[]): Promise<void> => {
  const answer = await world.live.post('/api/v1/batch', { operations });
  assert.is(answer.status, 200, answer.text);
};

const counts = (variables: object = {}): Promise<Counts> => eventCounts(world, variables);
/** The counts, and whether they came from ClickHouse. */
const countsBy = async (variables: object = {}): Promise<[store: string, counts: object]> => {
  const before = clickhouse.gateway.passed.length;
  const { asOf, total, intervals } = await counts(variables);
  assert.ok(Date.parse(asOf) <= Date.now(), asOf);
  const counted = { total, of: intervals.length, intervals: intervals.filter(({ count }) => count > 0) };
  return [clickhouse.gateway.passed.slice(before).includes('SELECT') ? 'clickhouse' : 'postgres', counted];
};
const rowsOf = async (table: string, condition: string): Promise<number> => {
  const [row] = await clickhouse.rows<{ rows: string }>(`SELECT count() AS rows FROM ${table} ${condition}`);
  return Number(row?.rows);
};
const copiedEvents = () => rowsOf('quarterdeck_event', `FINAL`);
/** Causes a failure, which makes the copier reconsider everything. */
async function reconsider(): Promise<void> {
  await test.app.pool.query(
    `insert into analytics_erasure (dataset, ids) values ('event', '{00000000-0000-7000-8000-000000000000}')`,
  );
  clickhouse.gateway.fault = 'away';
  assert.instance(await failureOf(copier().drain()), Error);
  clickhouse.gateway.fault = 'none';
  await copier().drain();
}

const results = async (survey: string, variables: object = {}): Promise<[store: string, results: object]> => {
  const before = clickhouse.gateway.passed.length;
  const answer = await surveyResults(world, survey, variables);
  return [clickhouse.gateway.passed.slice(before).includes('SELECT') ? 'clickhouse' : 'postgres', answer];
};
/** Submits a response and returns its id. */
const submit = async (survey: string, answers: object, more: object = {}): Promise<string> => {
  const answer = await world.live.post('/api/pulse/responses', { survey_id: survey, answers, ...more });
  assert.is(answer.status, 201, answer.text);
  return (answer.body as { id: string }).id;
};
x.before(async () => {
  clickhouse = await openTestClickHouse();
  test = await openTestApp({ settings: { CLICKHOUSE_URL: clickhouse.url } });
  world = await buildWorld(test);
});
x.before.each(async () => {
  clickhouse.gateway.fault = 'none';
  world = await buildProject(world);
});
x.after(async () => {
  await test.close();
  await clickhouse.close();
});

x('receives what was stored before it began, including by transactions in progress at the time', async () => {
  await send(track('before', 'u'), track('before', 'u'));
  const survey = await buildSurvey(world);
  await submit(survey.id, { nps: 9 });
  const [store, first] = await countsBy({ name: 'before' });
  assert.is(store, 'postgres', 'there is no copy yet');
  const old: [string, unknown[]] = [INSERT_AT, [world.projectId, Date.now() - 60_000, 'late']];
  await withOpenTransaction(test.databaseUrl, [old], async (commit) => {
    const drained = copier().drain();
    await until('the tables', async () => clickhouse.gateway.passed.includes('INSERT'));
    await commit();
    assert.is(await drained, true);
  });
  assert.equal(await countsBy({ name: 'before' }), ['clickhouse', first]);
  assert.is((await counts({ name: 'late' })).total, 1);
  const [by, answer] = await results(survey.id);
  assert.is(by, 'clickhouse');
  assert.is((answer as { surveyResults: { responses: number } }).surveyResults.responses, 1);
});

x('counts the same as PostgreSQL for every interval, name and environment', async () => {
  const times = [
    '2026-01-31T23:59:59.999Z',
    '2026-02-01T00:00:00Z',
    '2026-02-01T00:59:59.999Z',
    '2026-02-02T00:00:00Z',
  ];
  const odd = ['2026-03-08T12:00:00+05:30', '0001-01-01T00:00:00Z', '1969-12-31T00:00:00Z', undefined];
  const text = `tab\t 'quote' "double" \\ back\nline 🎈`;
  await send(
    ...times.map((timestamp) => track('edge', 'u', { timestamp })),
    ...odd.map((timestamp) => track(text, text, { timestamp, properties: { [text]: [text, 1.5, null] } })),
  );
  await world.test.post('/api/v1/batch', { operations: [track('edge', 'u', { timestamp: times[1] })] });
  const asked = [
    { name: 'edge', from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z', interval: 'month' },
    { name: 'edge', from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z', interval: 'week' },
    { from: '2026-01-30T10:00:00Z', to: '2026-03-09T00:00:00Z', interval: 'day' },
    { name: 'edge', from: '2026-01-31T23:59:59.999Z', to: '2026-02-01T00:59:59.999Z', interval: 'hour' },
    { name: 'edge', from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z', env: 'test' },
    { name: text, from: '1970-01-08T00:00:00Z', to: '2035-01-01T00:00:00Z', interval: 'month' },
  ];
  const expected: object[] = [];
  for (const variables of asked) {
    const [store, counted] = await countsBy(variables);
    assert.is(store, 'clickhouse', 'waiting notes are less than a minute old');
    expected.push(counted);
  }
  assert.equal(
    expected.map((counted) => (counted as Counts).total),
    [0, 0, 0, 0, 0, 0],
    'nothing is copied yet',
  );
  await test.app.pool.query(`update analytics_addition set created_at = now() - interval '2 minutes'`);
  for (const [i, variables] of asked.entries()) {
    const [store, counted] = await countsBy(variables);
    assert.is(store, 'postgres', 'the copy is too far behind');
    expected[i] = counted;
  }
  assert.equal(
    expected.map((counted) => (counted as Counts).total),
    [4, 4, 5, 2, 1, 2],
  );
  await copier().drain();
  for (const [i, variables] of asked.entries()) assert.equal(await countsBy(variables), ['clickhouse', expected[i]]);
});

x('has the same survey results as PostgreSQL, without respondents and free text', async () => {
  const survey = await buildSurvey(world);
  const answers = { nps: 9, stars: 4, tags: ['red', 'blue'], again: true, when: '2026-02-01', why: 'a long story' };
  const who = { respondent: { external_id: 'person-of-the-story', email: 'story@example.com' } };
  await submit(survey.id, answers, who);
  await submit(survey.id, { nps: 3, colour: 'blue', tags: ['red'] }, { submitted_at: '2026-02-01T00:00:00.001Z' });
  await submit(survey.id, { nps: 10, again: false }, { submitted_at: '0099-02-01T00:00:00Z' });
  const spans = [
    {},
    { from: '2026-02-01T00:00:00.001Z' },
    { to: '2026-02-01T00:00:00Z' },
    { from: '1700-01-01T00:00:00Z' },
  ];
  await test.app.pool.query(`update analytics_addition set created_at = now() - interval '2 minutes'`);
  const expected = [];
  for (const span of spans) {
    const [store, answer] = await results(survey.id, span);
    assert.is(store, 'postgres');
    expected.push(answer);
  }
  await copier().drain();
  for (const [i, span] of spans.entries()) {
    const [store, answer] = await results(survey.id, span);
    assert.is(store, i === 3 ? 'postgres' : 'clickhouse', 'PostgreSQL counts times that the copy cannot store');
    assert.equal(answer, expected[i]);
  }
  const stored = JSON.stringify(await clickhouse.rows('SELECT * FROM quarterdeck_survey_response'));
  assert.ok(stored.includes(survey.id));
  for (const word of ['story', 'example.com']) assert.not.ok(stored.includes(word), word);
});

x('misses no row that commits after newer ones', async () => {
  const at = Date.now() - 5_000;
  const noted = `select note_analytics_span('event', $1, 'live', $2, $2, 1)`;
  const old: [string, unknown[]][] = [
    [INSERT_AT, [world.projectId, at, 'slow']],
    [noted, [world.projectId, at]],
  ];
  await withOpenTransaction(test.databaseUrl, old, async (commit) => {
    await send(track('quick', 'u'));
    await copier().drain();
    assert.equal([(await counts({ name: 'quick' })).total, (await counts({ name: 'slow' })).total], [1, 0]);
    await commit();
  });
  await copier().drain();
  assert.is((await counts({ name: 'slow' })).total, 1);
});

for (const fault of ['lost answer', 'half', 'away'] as const) {
  x(`continues after a failed insert (${fault}), and counts every row once`, async () => {
    await copier().drain();
    const before = await copiedEvents();
    await send(...Array.from({ length: 50 }, (_, i) => track('again', `u${i}`)));
    clickhouse.gateway.fault = fault;
    const failure = await failureOf(copier().drain());
    assert.instance(failure, Error);
    assert.not.ok(inspect(failure, { depth: 10 }).includes(PASSWORD), 'the password is in no error');
    const waiting = await test.app.pool.query(`select sum(amount)::int as rows from analytics_addition`);
    assert.is(waiting.rows[0].rows, 50);
    clickhouse.gateway.fault = 'none';
    await copier().drain();
    const [store, counted] = await countsBy({ name: 'again' });
    assert.equal([store, (counted as Counts).total], ['clickhouse', 50]);
    assert.is((await copiedEvents()) - before, 50);
  });
}

x('erases persons, respondents and expired data as soon as it can be reached', async () => {
  const survey = await buildSurvey(world);
  const respond = (nps: number, id: string) => submit(survey.id, { nps }, { respondent: { external_id: id } });
  const ids = [await respond(9, 'gone'), await respond(1, 'stays')];
  const caller = { actor: { kind: 'system', name: 'test' } as const, requestId: 'the-job', address: null };
  await test.app.tx.write(caller, (ctx) => test.app.services.analyticsCopies.copy(ctx, ids));
  const person = { type: 'people', payload: { distinct_id: 'left', properties: {} } };
  await send(person, track('seen', 'left'), track('seen', 'stays'));
  await copier().drain();
  clickhouse.gateway.fault = 'away';
  const { client } = world.owner;
  await client.graphql('mutation($input: PersonInput!) { deletePerson(input: $input) { id } }', {
    input: { projectId: world.projectId, distinctId: 'left' },
  });
  await client.graphql('mutation($input: DeleteRespondentInput!) { deleteRespondent(input: $input) { responses } }', {
    input: { projectId: world.projectId, externalId: 'gone' },
  });
  await send(track('seen', 'left', { properties: { returned: true } }));
  assert.instance(await failureOf(copier().drain()), Error);
  clickhouse.gateway.fault = 'none';
  const inPostgres = [await countsBy({ name: 'seen' }), await countsBy({ name: 'survey_response' })];
  assert.equal(
    inPostgres.map(([store, counted]) => [store, (counted as Counts).total]),
    [
      ['postgres', 2],
      ['postgres', 1],
    ],
    'the copy is not queried while an erasure is pending',
  );
  await copier().drain();
  for (const [i, name] of ['seen', 'survey_response'].entries())
    assert.equal(await countsBy({ name }), ['clickhouse', inPostgres[i]?.[1]]);
  const kept = await clickhouse.rows<{ properties: string }>(
    `SELECT * FROM quarterdeck_event WHERE project_id = '${world.projectId}' AND distinct_id = 'left'`,
  );
  assert.equal(
    [...new Set(kept.map(({ properties }) => properties))].map((text) => JSON.parse(text)),
    [{ returned: true }],
    'data stored after the erasure stays',
  );
  const [by, left] = await results(survey.id);
  assert.is(by, 'clickhouse');
  assert.is((left as { surveyResults: { responses: number } }).surveyResults.responses, 1);
  await test.app.services.eventUpkeep.keepPartitions(new Date(Date.now() + 4000 * 24 * HOUR_MS));
  await ensureEventPartitions(test.app.pool, new Date());
  await copier().drain();
  assert.is(await copiedEvents(), 0, 'events that no plan retains are erased');
});

x('erases again what an insert in progress may have brought back', async () => {
  await send({ type: 'people', payload: { distinct_id: 'twice', properties: {} } }, track('twice', 'twice'));
  await copier().drain();
  const [row] = await clickhouse.rows<{ id: string; project_id: string }>(
    `SELECT * FROM quarterdeck_event WHERE project_id = '${world.projectId}'`,
  );
  await world.owner.client.graphql('mutation($input: PersonInput!) { deletePerson(input: $input) { id } }', {
    input: { projectId: world.projectId, distinctId: 'twice' },
  });
  await copier().drain();
  await clickhouse.insert('quarterdeck_event', row ?? {});
  assert.is((await counts({ name: 'twice' })).total, 1);
  await test.app.pool.query(`update analytics_erasure set applied_at = now() - interval '3 minutes'`);
  await copier().drain();
  assert.is((await counts({ name: 'twice' })).total, 0);
  assert.is((await test.app.pool.query('select from analytics_erasure')).rowCount, 0);
});

x('keeps what PostgreSQL still has of a person if their erasure did not see it', async () => {
  await send(track('concurrent', 'u'));
  await copier().drain();
  const erasure = { dataset: 'event', project_id: world.projectId, environment: 'live', distinct_ids: ['u'] };
  await test.app.pool.query('select note_analytics_erasure($1)', [JSON.stringify(erasure)]);
  await copier().drain();
  const [store, counted] = await countsBy({ name: 'concurrent' });
  assert.equal([store, (counted as Counts).total], ['clickhouse', 1]);
});

x('has only one copier at a time', async () => {
  await copier().drain();
  const other = await App.open(test.app.options, false);
  try {
    await send(track('shared', 'u'));
    assert.is(await other.services.analyticsCopier?.drain(), false);
    await test.app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'quarterdeck singleton' and datname = current_database()`,
    );
    await until('the other takes over', async () => (await other.services.analyticsCopier?.drain()) === true);
    assert.is((await counts({ name: 'shared' })).total, 1);
  } finally {
    await other.close();
  }
});

x('is abandoned after a week without a copier and rebuilt when one returns, also after a restore', async () => {
  await send(track('given-up', 'u'));
  await copier().drain();
  const handlers = test.app.modules.flatMap(({ jobHandlers }) => jobHandlers?.['analytics.abandon'] ?? []);
  await handlers[0]?.({}, new AbortController().signal);
  assert.is((await countsBy({ name: 'given-up' }))[0], 'clickhouse', 'a copy with a copier stays');
  const notes = async () => (await test.app.pool.query('select from analytics_erasure')).rowCount;
  const remove = (distinctId: string) =>
    world.owner.client.graphql('mutation($input: PersonInput!) { deletePerson(input: $input) { id } }', {
      input: { projectId: world.projectId, distinctId },
    });
  await send(track('given-up', 'left'), track('given-up', 'leaves'));
  await remove('left');
  assert.is.not(await notes(), 0);
  await test.app.pool.query(`update analytics_copy set seen_at = now() - interval '8 days'`);
  await handlers[0]?.({}, new AbortController().signal);
  await remove('leaves');
  assert.is(await notes(), 0, 'nothing remains of deleted persons');
  for (const outdate of [async () => {}, () => outdateCopy(test.databaseUrl)]) {
    await outdate();
    await send(track('given-up', 'u'));
    assert.is((await test.app.pool.query('select from analytics_addition')).rowCount, 0, 'nothing piles up');
    const [store, counted] = await countsBy({ name: 'given-up' });
    assert.is(store, 'postgres');
    await reconsider();
    assert.equal(await countsBy({ name: 'given-up' }), ['clickhouse', counted]);
  }
});

x('is rebuilt after it was lost, and left alone if it belongs to another installation', async () => {
  await send(track('lost', 'u'));
  await copier().drain();
  for (const table of ['event', 'survey_response', 'copy']) await clickhouse.run(`DROP TABLE quarterdeck_${table}`);
  assert.is((await counts({ name: 'lost' })).total, 1, 'PostgreSQL answers instead');
  await send(track('lost', 'u'));
  assert.instance(await failureOf(copier().drain()), Error);
  await copier().drain();
  assert.is(await rowsOf('quarterdeck_event', `FINAL WHERE project_id = '${world.projectId}'`), 2);

  const stranger = await openTestApp({ settings: { CLICKHOUSE_URL: clickhouse.url } });
  try {
    const failure = await failureOf(stranger.app.services.analyticsCopier?.drain() ?? Promise.resolve());
    assert.match(String(failure), /another installation/);
    assert.is(await rowsOf('quarterdeck_event', `FINAL WHERE project_id = '${world.projectId}'`), 2);
  } finally {
    await stranger.close();
  }
});

x('affects no request while it is unavailable, and reports this to operators', async () => {
  await copier().drain();
  copier().start();
  const ready = async () => ((await world.live.get('/readyz')).body as { degraded: string[] }).degraded.join();
  const metric = async (name: string) =>
    Number(new RegExp(`^quarterdeck_${name} (\\S+)$`, 'm').exec(await test.app.parts.metrics.text())?.[1]);
  clickhouse.gateway.fault = 'away';
  await send(track('meanwhile', 'u'), track('meanwhile', 'u'));
  await until('degraded', async () => (await ready()) === 'analytics');
  assert.is(await metric('analytics_waiting\\{of="rows"\\}'), 2);
  assert.ok((await metric('analytics_lag_seconds')) > 0);
  await test.app.pool.query(`update analytics_addition set created_at = now() - interval '2 minutes'`);
  assert.is((await counts({ name: 'meanwhile' })).total, 2);
  clickhouse.gateway.fault = 'none';
  await until('all is well', async () => (await ready()) === '');
  await until('nothing waits', async () => (await metric('analytics_waiting\\{of="rows"\\}')) === 0);
  assert.is(await metric('analytics_lag_seconds'), 0);
  clickhouse.gateway.fault = 'frozen';
  assert.is((await counts({ name: 'meanwhile' })).total, 2);
});

x('refuses times that cannot be counted', async () => {
  const code = async (variables: object) => (await refusalOf(counts(variables))).code;
  assert.is(await code({ from: ago(1), to: ago(2) }), 'BAD_TIME_RANGE');
  assert.is(await code({ from: '1960-01-01T00:00:00Z' }), 'BAD_TIME_RANGE');
  assert.is(await code({ from: ago(1001), to: ago(0), interval: 'hour' }), 'TOO_MANY_INTERVALS');
});

x.run();
