import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProjectEnvironment } from '../../../src/kernel/actor.js';
import type { DecisionSources } from '../../../src/modules/handshake/decision-sources.js';
import type { Snapshot } from '../../../src/modules/handshake/snapshot.js';
import { SnapshotCache } from '../../../src/modules/handshake/snapshot-cache.js';
import type { Broadcast } from '../../../src/storage/shared/broadcast.js';

const x = suite('snapshot cache');
const place: ProjectEnvironment = { projectId: 'p', environment: 'live' };

function world() {
  const state = { now: 1_000_000, reads: 0, version: 1, failing: false, slow: null as Promise<void> | null };
  let listener: (message: string | null) => void = () => undefined;
  const broadcast: Broadcast = {
    publish: (_, message) => listener(message),
    publishStale: () => listener(null),
    subscribe: (_, heard) => {
      listener = heard;
      return () => undefined;
    },
    close: async () => undefined,
  };
  const sources: DecisionSources = {
    disabledModules: async () => [],
    flags: async () => {
      state.reads += 1;
      const { version } = state;
      await state.slow;
      if (state.failing) throw new Error('the database is away');
      return [
        {
          id: 'flg_f',
          key: 'f',
          version,
          variants: [{ key: 'a', value: 1 }],
          defaultVariant: 'a',
          rules: [],
          halted: false,
          archived: false,
        },
      ];
    },
    items: async () => [],
    cohorts: async () => [],
    release: async () => null,
    sampleRate: async () => 1,
  };
  const cache = new SnapshotCache(sources, { now: () => new Date(state.now) });
  cache.listen(broadcast, 'changes');
  const version = async (at: ProjectEnvironment = place) => versionOf(await cache.get(at));
  return { state, cache, version, announce: (message: string | null) => listener(message) };
}

const versionOf = (snapshot: Snapshot) => snapshot.flags.get('f')?.outcomes[0]?.version;

x('many requests share one read', async () => {
  const { state, version } = world();
  assert.equal(await Promise.all([version(), version(), version()]), [1, 1, 1]);
  assert.is(await version(), 1);
  assert.is(state.reads, 1);
  await version({ ...place, environment: 'test' });
  assert.is(state.reads, 2, 'the other environment has its own');
});

x('an announced change is visible at once, and costs other projects and modules nothing', async () => {
  const { state, version, announce } = world();
  await version();
  state.version = 2;
  announce('other switch');
  announce('p pulse');
  assert.is(await version(), 1);
  announce('p switch');
  assert.is(await version(), 2);
  state.version = 3;
  announce(null);
  assert.is(await version(), 3, 'messages may have been missed');
});

x('a read that began before a change does not outlive it', async () => {
  const { state, version, announce } = world();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.slow = promise;
  const early = version();
  state.version = 2;
  announce('p switch');
  const late = version();
  resolve();
  assert.equal(await Promise.all([early, late]), [1, 2]);
  assert.is(await version(), 2);
});

x('an unannounced change is visible within five seconds', async () => {
  const { state, cache, version } = world();
  const first = await cache.get(place);
  state.version = 2;
  state.now += 4_499;
  assert.is(await version(), 1);
  await pause(5);
  assert.is(await version(), 2, 'it was reread in the background');
  state.version = 3;
  state.now += 4_500;
  assert.is(await version(), 3, 'no older one is served');
  assert.is.not(await cache.get(place), first);
});

x('unchanged content keeps the compiled snapshot', async () => {
  const { state, cache } = world();
  const first = await cache.get(place);
  state.now += 3_500;
  await cache.get(place);
  await pause(5);
  assert.is(state.reads, 2);
  assert.is(await cache.get(place), first);
});

x('a failed read is not cached, and a failed refresh does not extend a snapshot', async () => {
  const { state, version } = world();
  state.failing = true;
  await version().then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'the database is away'),
  );
  state.failing = false;
  assert.is(await version(), 1);
  state.failing = true;
  state.now += 3_500;
  assert.is(await version(), 1);
  await pause(5);
  state.now += 1_000;
  await version().then(
    () => assert.unreachable(),
    () => undefined,
  );
});

x.run();
