import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AnswerCount, npsResult, questionResult } from '../../../../src/modules/pulse/results/question-results.js';
import { question } from '../questions/question-examples.js';

const results = suite('results of a question');

const counts = (entries: readonly (readonly [AnswerCount['value'], number])[]) =>
  entries.map(([value, count]) => ({ value, count }));

results('nps: 6 is a detractor, 7 and 8 are passive, 9 is a promoter', () => {
  assert.equal(
    npsResult(
      counts([
        [0, 1],
        [6, 1],
        [7, 1],
        [8, 1],
        [9, 2],
        [10, 2],
      ]),
    ),
    {
      score: 25,
      promoters: 4,
      passives: 2,
      detractors: 2,
    },
  );
  assert.equal(
    npsResult(
      counts([
        [0, 2],
        [9, 1],
      ]),
    ).score,
    -33.3,
  );
  assert.equal(npsResult([]), { score: null, promoters: 0, passives: 0, detractors: 0 });
});

results('a scale shows every step, including those never chosen, and answers on an earlier scale', () => {
  const result = questionResult(
    question({ kind: 'rating' }),
    counts([
      [5, 2],
      [2, 1],
      [7, 1],
    ]),
    4,
  );
  assert.equal(
    result.distribution.map(({ value, count }) => [value, count]),
    [
      ['1', 0],
      ['2', 1],
      ['3', 0],
      ['4', 0],
      ['5', 2],
      ['7', 1],
    ],
  );
  assert.is(result.average, 4.75);
  assert.is(result.nps, null);
});

results('options keep their order, and removed ones come last', () => {
  const asked = question({ kind: 'multiselect', options: ['red', 'blue'] });
  const result = questionResult(
    asked,
    counts([
      ['green', 1],
      ['blue', 3],
      ['red', 2],
    ]),
    4,
  );
  assert.equal(result.distribution, [
    { value: 'red', count: 2, share: 0.5 },
    { value: 'blue', count: 3, share: 0.75 },
    { value: 'green', count: 1, share: 0.25 },
  ]);
  assert.is(result.average, null);
});

results('booleans and dates have a distribution; free text is only counted', () => {
  const yes = questionResult(question({ kind: 'boolean' }), counts([[true, 3]]), 3);
  assert.equal(
    yes.distribution.map(({ value, count }) => [value, count]),
    [
      ['true', 3],
      ['false', 0],
    ],
  );
  const days = questionResult(
    question({ kind: 'date' }),
    counts([
      ['2026-02-01', 1],
      ['2025-12-31', 2],
    ]),
    3,
  );
  assert.equal(
    days.distribution.map(({ value }) => value),
    ['2025-12-31', '2026-02-01'],
  );
  assert.equal(questionResult(question({ kind: 'text' }), [], 7), {
    answered: 7,
    nps: null,
    average: null,
    distribution: [],
  });
});

results('an unanswered question has no average and no share', () => {
  const result = questionResult(question({ kind: 'csat' }), [], 0);
  assert.is(result.average, null);
  assert.ok(result.distribution.every(({ share }) => share === 0));
});

results.run();
