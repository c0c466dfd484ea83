import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GroupCommit } from '../../../../src/modules/ingest/copy/group-commit.js';

const LIMITS = { lanes: 2, groupOperations: 100, bufferedOperations: 1_000, bufferedBytes: 1_000 };

interface Request {
  operations: number;
  bytes: number;
}

/** A commit whose groups end when the test says so. */
function heldCommit() {
  const groups: { sizes: number[]; lane: number; end: () => void }[] = [];
  const commit = new GroupCommit<Request, string>(LIMITS, async (requests, lane) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    groups.push({ sizes: requests.map(({ operations }) => operations), lane, end: resolve });
    await promise;
    return requests.map(() => ({ status: 'fulfilled', value: 'stored' }));
  });
  const submit = (operations: number) => commit.submit({ operations, bytes: 1 });
  return { commit, groups, submit };
}

const x = suite('group commit');

x('collects what arrives while a commit is in progress', async () => {
  const { groups, submit } = heldCommit();
  const first = submit(1);
  await turn();
  const later = [submit(1), submit(1), submit(1)];
  await turn();
  assert.equal(
    groups.map(({ sizes }) => sizes),
    [[1]],
  );
  groups[0]?.end();
  assert.is(await first, 'stored');
  await turn();
  assert.equal(
    groups.map(({ sizes }) => sizes),
    [[1], [1, 1, 1]],
  );
  groups[1]?.end();
  assert.equal(await Promise.all(later), ['stored', 'stored', 'stored']);
});

x('starts another lane once a tenth of a group is waiting', async () => {
  const { commit, groups, submit } = heldCommit();
  const answers = [submit(1)];
  await turn();
  answers.push(submit(9));
  await turn();
  assert.is(groups.length, 1);
  answers.push(submit(1));
  await turn();
  assert.equal(
    groups.map(({ sizes }) => sizes),
    [[1], [9, 1]],
  );
  assert.is.not(groups[0]?.lane, groups[1]?.lane);
  for (const { end } of groups) end();
  await Promise.all(answers);
  await commit.drain();
  assert.is(commit.depth, 0);
});

x('never splits a request, and closes a full group', async () => {
  const { groups, submit } = heldCommit();
  const answers = [submit(60), submit(60), submit(300)];
  await turn();
  assert.equal(
    groups.map(({ sizes }) => sizes),
    [[60], [60]],
  );
  groups[0]?.end();
  await answers[0];
  await turn();
  assert.equal(groups[2]?.sizes, [300]);
  for (const { end } of groups) end();
  await Promise.all(answers);
});

x.run();
