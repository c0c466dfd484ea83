import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SupervisedThread } from '../../src/kernel/threads/supervised-thread.js';
import type { ThreadFailure } from '../../src/kernel/threads/thread-failure.js';

const x = suite('supervised threads');

const file = new URL('../../src/modules/catch/crashes/reading/crash-reading-thread.js', import.meta.url);
const reasonOf = (run: Promise<unknown>) =>
  run.then(
    () => null,
    ({ reason }: ThreadFailure) => reason,
  );

x('a task for a thread that has exited fails at once', async () => {
  const thread = new SupervisedThread(file, 16);
  await thread.run('begin', [60_000]);
  await thread.end();
  assert.is(thread.isAlive, false);
  const limits = [3_600_000];
  assert.is(await reasonOf(thread.run('continue', limits)), 'ended');
});

x.run();
