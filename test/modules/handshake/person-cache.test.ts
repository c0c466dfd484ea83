import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PersonSources, ProjectEnvironment } from '../../../src/modules/handshake/decision-sources.js';
import { PersonCache } from '../../../src/modules/handshake/person-cache.js';
import type { Snapshot } from '../../../src/modules/handshake/snapshot.js';
import type { ChangedId } from '../../../src/modules/ingest/people/person-changes.js';
import { UNKNOWN } from '../../../src/modules/ingest/people/person-facts.js';

const x = suite('person cache');
const place: ProjectEnvironment = { projectId: 'p', environment: 'live' };
const changed = (distinctId: string): ChangedId => ({ ...place, distinctId });
const wanting = (...properties: string[]) => ({ wanted: JSON.stringify({ properties, ids: false }) }) as Snapshot;

function world(bytes = 2 ** 20) {
  const state = {
    now: 1_000_000,
    version: 1,
    asked: [] as string[][],
    positions: 0,
    looks: 0,
    changes: [] as ChangedId[] | null,
    gone: new Set<string>(),
    isAway: false,
    slow: null as Promise<void> | null,
  };
  const sources: PersonSources = {
    facts: async (_, ids, { properties }) => {
      state.asked.push([...ids]);
      const { version } = state;
      await state.slow;
      if (state.isAway) throw new Error('the database is away');
      const facts = JSON.stringify(Object.fromEntries((properties ?? []).map((key) => [key, version])));
      return ids.map((id) => (id === 'nobody' ? UNKNOWN : { personId: `prs_${id}`, properties: facts, ids: null }));
    },
    position: async () => {
      state.positions += 1;
      return '1:1:';
    },
    changes: async (position) => {
      state.looks += 1;
      if (state.isAway) throw new Error('the database is away');
      const { changes: ids, gone } = state;
      Object.assign(state, { changes: [], gone: new Set() });
      return { position, ids, gone };
    },
  };
  const cache = new PersonCache(sources, { now: () => new Date(state.now) }, bytes);
  const properties = async (id: string, snapshot = wanting('a')) => {
    await cache.upToDate();
    return (await cache.get(place, snapshot, id)).properties;
  };
  return { state, cache, properties };
}

x('concurrently requested persons are read together and then cached', async () => {
  const { state, properties } = world();
  assert.equal(await Promise.all(['a', 'b', 'a', 'nobody'].map((id) => properties(id))), [
    '{"a":1}',
    '{"a":1}',
    '{"a":1}',
    '{}',
  ]);
  await Promise.all(['a', 'b', 'nobody'].map((id) => properties(id)));
  assert.equal(state.asked, [['a', 'b', 'nobody']]);
});

x('changes are looked up every quarter second, and changed persons are reread', async () => {
  const { state, cache, properties } = world();
  await Promise.all([properties('a'), properties('b')]);
  state.version = 2;
  state.changes = [changed('a')];
  state.now += 249;
  assert.is(await properties('a'), '{"a":1}');
  assert.is(state.looks, 0);
  state.now += 1;
  assert.is(cache.upToDate(), undefined, 'the look-up runs in the background');
  await nextTurn();
  assert.equal([await properties('a'), await properties('b'), state.looks], ['{"a":2}', '{"a":1}', 1]);
  state.version = 3;
  state.changes = [changed('a')];
  state.now += 1_000;
  assert.is(await properties('a'), '{"a":3}', 'nothing older than a second is served');
  state.now -= 10_000;
  await cache.upToDate();
  assert.is(state.positions, 2, 'the clock went back: everything is reread');
  assert.is(await properties('b'), '{"a":3}');
});

x('a deleted person is forgotten, and too many changes clear everything', async () => {
  const { state, properties } = world();
  await Promise.all([properties('a'), properties('b')]);
  Object.assign(state, { version: 2, gone: new Set(['prs_a']) });
  state.now += 1_000;
  assert.equal([await properties('a'), await properties('b')], ['{"a":2}', '{"a":1}']);
  state.changes = null;
  state.now += 1_000;
  assert.is(await properties('b'), '{"a":2}');
});

x('after a long pause nothing is known, because changes are not kept forever', async () => {
  const { state, properties } = world();
  await properties('a');
  state.version = 2;
  state.now += 31 * 60_000;
  assert.is(await properties('a'), '{"a":2}');
  assert.equal([state.looks, state.positions], [0, 2]);
});

x('facts that a change overtakes while they are read are returned but not cached', async () => {
  for (const change of [{ changes: [changed('a')] }, { gone: new Set(['prs_a']) }, { changes: null }]) {
    const { state, cache, properties } = world();
    await cache.upToDate();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.slow = promise;
    const early = properties('a');
    for (let turns = 0; turns < 2; turns += 1) await nextTurn();
    Object.assign(state, change, { version: 2, slow: null });
    state.now += 1_000;
    const late = properties('a');
    for (let turns = 0; turns < 2; turns += 1) await nextTurn();
    resolve();
    assert.equal([await early, await late, await properties('a')], ['{"a":1}', '{"a":2}', '{"a":2}']);
  }
});

x('other facts are read when rules need them', async () => {
  const { properties } = world();
  assert.is(await properties('a'), '{"a":1}');
  assert.is(await properties('a', wanting('b')), '{"b":1}');
  assert.is(await properties('a', wanting('a')), '{"a":1}');
  assert.equal(await Promise.all([properties('c'), properties('c', wanting('b'))]), ['{"a":1}', '{"b":1}']);
});

x('a failure is reported and not cached', async () => {
  const { state, properties } = world();
  await properties('a');
  state.isAway = true;
  const fails = async (id: string) => {
    const [{ status }] = await Promise.allSettled([properties(id)]);
    return status;
  };
  assert.equal([await fails('a'), await fails('b')], ['fulfilled', 'rejected']);
  state.now += 1_000;
  assert.is(await fails('a'), 'rejected', 'whether it is still valid is unknown');
  state.isAway = false;
  assert.equal([await properties('a'), await properties('b')], ['{"a":1}', '{"a":1}']);
});

x('evicted persons are gone, and so are their answers', async () => {
  const { state, cache } = world(4_000);
  await cache.upToDate();
  const persons = [];
  for (let id = 0; id < 100; id += 1) {
    persons.push(await cache.get(place, wanting('a'), `u${id}`));
    await cache.get(place, wanting('a'), 'u0');
  }
  assert.is(state.asked.flat().filter((id) => id === 'u0').length, 1, 'persons in use stay');
  const left = persons.filter(({ ticket }) => cache.stands(ticket)).length;
  assert.ok(left >= 30 && left <= 60, `${left} of less than 60 bytes each`);
  assert.ok(cache.stands(persons.at(-1)?.ticket ?? -1));
  const tooLarge = await cache.get(place, wanting('k'.repeat(5_000)), 'u1');
  assert.is(cache.stands(tooLarge.ticket), false);
  assert.is(state.asked.length, 101);
});

x('facts are returned as read, whatever they contain', async () => {
  const texts = ['', 'é', '✓ 👋', '\u0000', 'x'.repeat(3_000)];
  const facts = [
    ...texts.map((text) => ({ personId: `prs_${text}`, properties: JSON.stringify({ text }), ids: null })),
    { personId: 'prs_many', properties: '{}', ids: texts },
    UNKNOWN,
  ];
  const sources = {
    facts: async (_: ProjectEnvironment, ids: readonly string[]) => ids.map((id) => facts[Number(id)] ?? UNKNOWN),
    position: async () => '1:1:',
    changes: async (position: string) => ({ position, ids: [], gone: new Set<string>() }),
  };
  const cache = new PersonCache(sources, { now: () => new Date(1_000_000) }, 2 ** 20);
  await cache.upToDate();
  for (const _ of ['read', 'kept']) {
    for (const [id, one] of facts.entries()) {
      const { ticket, ...found } = await cache.get(place, wanting('a'), `${id}`);
      assert.equal(found, one);
      assert.ok(cache.stands(ticket));
    }
  }
});

x.run();
