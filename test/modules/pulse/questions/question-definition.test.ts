import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isQuestionId, questionFault } from '../../../../src/modules/pulse/questions/question-definition.js';
import { question } from './question-examples.js';

const definition = suite('question definitions');

definition('a choice without options, or with a repeated or an empty one, is refused', () => {
  for (const kind of ['select', 'multiselect'] as const) {
    assert.match(questionFault(question({ kind })) ?? '', /needs options/);
    assert.match(questionFault(question({ kind, options: [] })) ?? '', /not be empty/);
    assert.match(questionFault(question({ kind, options: ['a', 'a'] })) ?? '', /must be unique/);
    assert.match(questionFault(question({ kind, options: ['a', ''] })) ?? '', /1 to 500 characters/);
  }
});

definition('a setting of another kind is refused, but a fixed scale may be spelled out', () => {
  assert.match(questionFault(question({ kind: 'nps', maxLength: 5 })) ?? '', /maxLength does not apply to a nps/);
  assert.match(questionFault(question({ kind: 'text', options: ['a'] })) ?? '', /options does not apply/);
  assert.match(questionFault(question({ kind: 'nps', scaleMax: 5 })) ?? '', /scaleMax does not apply/);
  assert.is(questionFault(question({ kind: 'nps', scaleMin: 0, scaleMax: 10 })), null);
  assert.is(questionFault(question({ kind: 'rating', scaleMin: 1, scaleMax: 10 })), null);
});

definition('scales must rise, use whole numbers, and have a limit', () => {
  assert.match(questionFault(question({ kind: 'rating', scaleMax: 1 })) ?? '', /above its start/);
  assert.match(questionFault(question({ kind: 'likert', scaleMin: 3, scaleMax: 2 })) ?? '', /above its start/);
  assert.match(questionFault(question({ kind: 'rating', scaleMax: 2.5 })) ?? '', /whole numbers/);
  assert.match(questionFault(question({ kind: 'rating', scaleMax: 101 })) ?? '', /at most 100 steps/);
});

definition('prompts must not be empty, and lengths must be positive', () => {
  assert.match(questionFault(question({ kind: 'text', prompt: ' ' })) ?? '', /prompt/);
  assert.match(questionFault(question({ kind: 'text', maxLength: 0 })) ?? '', /maxLength/);
});

definition('question ids are plain words', () => {
  for (const id of ['q1', 'a-b_C', '0']) assert.ok(isQuestionId(id), id);
  for (const id of ['', '__proto__', 'a b', 'ä', 'a'.repeat(65)]) assert.not(isQuestionId(id), id);
});

definition.run();
