import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseBranchingPredicate } from '../../src/modules/pulse/predicates/branching-predicate.js';
import { branches } from '../../src/sdk/core/surveys/branching-predicate.js';

const x = suite('the predicates of surveys on the device');

x('read numbers like the server', () => {
  const rows: [predicate: string, answer: unknown, holds: boolean][] = [
    ['answer = 07', 7, true],
    ['answer >= 01', 1, true],
    ['answer < -01.50', -2, true],
    ['answer != 007', 7, false],
    ['answer = true', true, true],
    ['OR(answer = 007, answer = 8)', 8, true],
  ];
  for (const [predicate, answer, holds] of rows) {
    parseBranchingPredicate(predicate);
    assert.is(branches(predicate, answer), holds, predicate);
  }
  for (const predicate of ['answer > 0.', 'answer > 0.1234567', 'answer != trueish', 'answer < 1234567890123456']) {
    assert.throws(() => parseBranchingPredicate(predicate));
    assert.is(branches(predicate, 1), false, predicate);
  }
});

x('never hold and never throw when they are unreadable', () => {
  for (const predicate of [null, 7, 'AND('.repeat(100_000)]) assert.is(branches(predicate as string, 1), false);
});

x.run();
