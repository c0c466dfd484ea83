import * as assert from 'uvu/assert';
import { buildProject } from '../support/factories/factories.js';
import { worldSuite } from '../support/factories/world-suite.js';
import { until } from '../support/until.js';

const MIB = 1024 * 1024;

const x = worldSuite('large profiles');
const { here } = x;
x.before.each(async () => {
  here.world = await buildProject(here.world);
});

async function rows<T extends object>(text: string): Promise<T[]> {
  return (await here.test.app.pool.query<T>(text, [here.world.projectId])).rows;
}

/** The lengths of each person's properties. */
async function profiles(): Promise<Record<string, Record<string, number>>> {
  const found = await rows<{ id: string; key: string; length: number }>(
    `select i.distinct_id as id, key, length(value) from person p join person_id i on i.person_id = p.id
      cross join jsonb_each_text(p.properties) where i.project_id = $1 and i.distinct_id not like 'alias%'`,
  );
  const lengths: Record<string, Record<string, number>> = {};
  for (const { id, key, length } of found) lengths[id] = { ...lengths[id], [key]: length };
  return lengths;
}

/** Waits until this many warnings are counted, and returns the number per reason. */
async function warnings(total: number): Promise<Record<string, number>> {
  const counted = await until(`${total} warnings`, async () => {
    const found = await rows<{ reason: string; count: number }>(
      'select reason, sum(count)::int as count from ingestion_warning where project_id = $1 group by reason',
    );
    return found.reduce((sum, { count }) => sum + count, 0) >= total ? found : null;
  });
  return Object.fromEntries(counted.map(({ reason, count }) => [reason, count]));
}

const people = (id: string, properties: Record<string, unknown>) => ({
  type: 'people',
  payload: { distinct_id: id, properties },
});
const aliasOf = (alias: string, id: string) => ({ type: 'alias', payload: { alias_id: alias, distinct_id: id } });

async function batch(operations: object[]): Promise<void> {
  const answer = await here.world.live.post('/api/v1/batch', { operations });
  assert.is(answer.status, 200, answer.text);
}

x('end at 4 MiB: what would not fit is dropped with a warning, and what shrinks always fits', async () => {
  const part = 'a'.repeat(1.5 * MIB);
  for (const key of ['a', 'b']) await batch([people('u', { [key]: part })]);
  await batch([people('u', { c: part, small: 'x' }), people('u', { small: 'yy' })]);
  assert.equal(await profiles(), { u: { a: part.length, b: part.length, small: 2 } });
  await batch([people('u', { a: null, c: part }), people('v', { d: 'd'.repeat(5 * MIB) })]);
  assert.equal(await profiles(), { u: { b: part.length, c: part.length, small: 2 } });
  assert.equal(await warnings(2), { profile_too_large: 2 });
  const known = await rows('select from person_id where project_id = $1');
  assert.is(known.length, 2, 'the person is known, whatever came with it');
});

x('end at 10,000 properties', async () => {
  const members = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, n) => [from + n, 1]));
  const count = async () => Object.keys((await profiles()).u ?? {}).length;
  await batch([people('u', members(0, 10_001)), people('u', members(0, 9_999)), people('u', { one: 1, two: 2 })]);
  assert.is(await count(), 9_999);
  await batch([people('u', { one: 1 }), people('u', { two: 2 }), people('u', { 0: 5, 1: null, two: 2 })]);
  assert.is(await count(), 10_000);
  assert.equal(await warnings(3), { profile_too_large: 3 });
});

x('that merge beyond 4 MiB keep the properties of the kept person', async () => {
  const part = 'a'.repeat(2.5 * MIB);
  await batch([people('kept', { own: part, both: '1' })]);
  await batch([people('merged', { other: part, both: '22', few: '333' })]);
  await batch([aliasOf('merged', 'kept')]);
  const united = { own: part.length, both: 1, few: 3 };
  assert.equal(await profiles(), { kept: united, merged: united });
  const [record] = await rows<{ length: number }>(
    "select length(merged_properties->>'other') as length from person_merge where project_id = $1",
  );
  assert.is(record?.length, part.length, 'the merge record has what did not fit');
  assert.equal(await warnings(1), { profile_too_large: 1 });
});

x('are changed by small operations among others, in order and once', async () => {
  const part = 'a'.repeat(MIB);
  for (let n = 0; n < 6; n++) await batch([people(`large${n}`, { part, n: 'x' })]);
  const changes = Array.from({ length: 6 }, (_, n) => people(`large${n}`, { n: 'y'.repeat(n + 2), later: '' }));
  const rest = changes.map(({ payload }) => people(payload.distinct_id, { later: null }));
  const repeated = { type: 'track', payload: { event_name: 'e', distinct_id: 'large0', insert_id: 'once' } };
  const small = Array.from({ length: 20 }, (_, n) => batch([people(`small${n}`, { n: 'z' })]));
  await Promise.all([
    batch([...changes, aliasOf('alias', 'large0'), repeated, repeated, ...rest, aliasOf('large5', 'large4')]),
    ...small,
  ]);
  const stored = await profiles();
  for (let n = 0; n < 4; n++) assert.equal(stored[`large${n}`], { part: MIB, n: n + 2 });
  for (const id of ['large4', 'large5']) assert.equal(stored[id], { part: MIB, n: 7 });
  for (let n = 0; n < 20; n++) assert.equal(stored[`small${n}`], { n: 1 });
  const events = await rows('select from event where project_id = $1');
  assert.is(events.length, 1);
  assert.equal(await warnings(1), { repeated_insert_id: 1 });
});

x('of a few kilobytes are changed together, however many requests arrive at once', async () => {
  const ids = Array.from({ length: 400 }, (_, n) => `person${n}`);
  await batch(ids.map((id) => people(id, { part: 'a'.repeat(4_000) })));
  const sent = ids.map((id) => here.world.live.post('/api/v1/people', { distinct_id: id, properties: { later: 'b' } }));
  for (const answer of await Promise.all(sent)) assert.equal([answer.status, answer.body], [200, { ok: true }]);
  const stored = await profiles();
  for (const id of ids) assert.equal(stored[id], { part: 4_000, later: 1 });
});

x('belong to a person of at most 10,000 ids', async () => {
  const aliases = (from: number, to: number, id: string) =>
    Array.from({ length: to - from }, (_, n) => aliasOf(`alias${from + n}`, id));
  await batch(aliases(0, 9_999, 'u'));
  await batch([aliasOf('late', 'u'), people('other', {}), aliasOf('u', 'other')]);
  assert.equal(await warnings(2), { too_many_ids: 2 });
  const sizes = await rows<{ size: number }>(
    'select count(*)::int as size from person_id where project_id = $1 group by person_id order by size',
  );
  assert.equal(sizes, [{ size: 1 }, { size: 10_000 }]);
});

x.run();
