import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { responseScore } from '../../../../src/modules/pulse/questions/score.js';
import { validateAnswers } from '../../../../src/modules/pulse/questions/validate-answers.js';
import { question } from './question-examples.js';

const answers = suite('checking the answers of a response');

const SURVEY = [
  question({ id: 'why', kind: 'text', required: true, maxLength: 10, orderIndex: 0 }),
  question({ id: 'score', kind: 'nps', required: true, orderIndex: 1 }),
  question({ id: 'stars', kind: 'rating', orderIndex: 2 }),
  question({ id: 'colour', kind: 'select', options: ['red', 'blue'], orderIndex: 3 }),
  question({ id: 'tags', kind: 'multiselect', options: ['red', 'blue'], orderIndex: 4 }),
];
const check = (given: Record<string, unknown>, required = true) => validateAnswers(SURVEY, given, { required });
const score = (given: Record<string, unknown>) => responseScore(check(given, false).accepted);

answers('both lists are in question order, and no question is in both', () => {
  const { invalid, missing, accepted } = check({ tags: ['green'], stars: 0, why: '', colour: 4 });
  assert.equal(
    missing.map(({ questionId }) => questionId),
    ['why', 'score'],
  );
  assert.equal(
    invalid.map(({ questionId, reason }) => [questionId, reason]),
    [
      ['stars', 'value_out_of_range'],
      ['colour', 'wrong_type'],
      ['tags', 'option_not_allowed'],
    ],
  );
  assert.equal(accepted, []);
});

answers('a required choice answered with "" is missing', () => {
  const required = SURVEY.map((asked) => ({ ...asked, required: true }));
  const { missing } = validateAnswers(
    required,
    { why: 'x', score: 1, stars: 1, colour: '', tags: [] },
    { required: true },
  );
  assert.equal(
    missing.map(({ questionId }) => questionId),
    ['colour', 'tags'],
  );
});

answers('ids unknown to the survey are ignored, including prototype names', () => {
  const given = JSON.parse('{"why":"x","score":9,"gone":3,"__proto__":{"stars":99},"toString":1,"constructor":{}}');
  const { accepted, invalid, missing } = check(given);
  assert.equal([invalid, missing], [[], []]);
  assert.equal(
    accepted.map(({ question: { id } }) => id),
    ['why', 'score'],
  );
});

answers('a question named like an object method is not answered by that method', () => {
  const { missing } = validateAnswers(
    [question({ id: 'toString', kind: 'text', required: true })],
    {},
    { required: true },
  );
  assert.is(missing.length, 1);
});

answers('a partial save lacks nothing, but its types are checked', () => {
  assert.equal(check({}, false), { accepted: [], invalid: [], missing: [] });
  assert.is(check({ score: '9' }, false).invalid[0]?.reason, 'wrong_type');
});

answers('an option chosen twice is stored once, and -0 as 0', () => {
  const { accepted } = check({ why: 'x', score: -0, tags: ['red', 'red', 'blue'] });
  assert.equal(
    accepted.map(({ value }) => value),
    ['x', 0, ['red', 'blue']],
  );
  assert.not(Object.is(accepted[1]?.value, -0));
});

answers('the score is that of the first answered scale question, in survey order', () => {
  assert.is(score({ stars: 4, score: 9 }), 9);
  assert.is(score({ stars: 4, score: null }), 4);
  assert.is(score({ stars: 4 }), 4);
  assert.is(score({ score: 0, stars: 5 }), 0);
  assert.is(score({ why: 'x', colour: 'red' }), null);
  assert.is(score({}), null);
});

answers.run();
