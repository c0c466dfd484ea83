import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { questionFault } from '../../../../src/modules/pulse/questions/question-definition.js';
import { QUESTION_KIND_CODES } from '../../../../src/modules/pulse/questions/question-kinds.js';
import { validateAnswers } from '../../../../src/modules/pulse/questions/validate-answers.js';
import { KIND_EXAMPLES, question } from './question-examples.js';

const kinds = suite('question kinds');

for (const kind of QUESTION_KIND_CODES) {
  const { settings, good, bad, empty } = KIND_EXAMPLES[kind];
  const asked = question({ kind, ...settings });
  const check = (value: unknown, required = true) =>
    validateAnswers([{ ...asked, required }], { q1: value }, { required: true });

  kinds(`${kind}: an editor may save the example question`, () => {
    assert.is(questionFault(asked), null);
  });

  for (const value of good) {
    kinds(`${kind} accepts ${JSON.stringify(value)}`, () => {
      const { accepted, invalid, missing } = check(value);
      assert.equal([invalid, missing], [[], []]);
      assert.equal(accepted[0]?.value, value);
    });
  }

  for (const [value, reason] of bad) {
    kinds(`${kind} refuses ${JSON.stringify(value)} as ${reason}`, () => {
      const { accepted, invalid } = check(value, false);
      assert.equal(accepted, []);
      assert.equal(invalid, [{ questionId: 'q1', prompt: asked.prompt, reason }]);
    });
  }

  for (const value of [null, ...empty]) {
    kinds(`${kind}: ${JSON.stringify(value)} is missing if an answer is required, and fine if not`, () => {
      assert.equal(check(value).missing, [{ questionId: 'q1', prompt: asked.prompt }]);
      assert.equal(check(value, false), { accepted: [], invalid: [], missing: [] });
    });
  }
}

kinds.run();
