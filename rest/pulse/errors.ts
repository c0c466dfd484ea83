import { Type } from 'typebox';
import type { PulseCode } from '../../src/modules/pulse/pulse.errors.js';
import type { AnswerFault } from '../../src/modules/pulse/questions/question-kinds.js';
import type { InvalidAnswer, MissingAnswer } from '../../src/modules/pulse/questions/validate-answers.js';
import type { QuotaCode } from '../../src/modules/quotas/quotas.errors.js';
import { type ErrorTable, error, errorWith, errorWithMessage, faceErrors, MESSAGE } from '../face/error-table.js';
import { count, oneOf, text } from '../field-schemas.js';

const missing = Type.Object({ question_id: text('qst_1'), prompt: text('How likely are you to recommend us?') });
const invalid = Type.Object({
  ...missing.properties,
  reason: oneOf<AnswerFault>(['value_out_of_range', 'wrong_type', 'option_not_allowed', 'length_too_long']),
});
const question = { questionId: 'qst_1', prompt: 'How likely are you to recommend us?' };

const validation = errorWith(
  400,
  { message: MESSAGE, invalid: Type.Array(invalid), missing: Type.Array(missing) },
  [{ invalid: [{ ...question, reason: 'value_out_of_range' }], missing: [] }],
  (details, message) => ({
    error: 'validation',
    message,
    invalid: (details.invalid as InvalidAnswer[]).map(({ questionId, prompt, reason }) => ({
      question_id: questionId,
      prompt,
      reason,
    })),
    missing: (details.missing as MissingAnswer[]).map(({ questionId, prompt }) => ({
      question_id: questionId,
      prompt,
    })),
  }),
);

const quotaExceeded = errorWith(
  402,
  { message: MESSAGE, current: count(1_000), limit: count(1_000) },
  [{ current: 1_000, limit: 1_000 }],
  ({ current, limit }, message) => ({
    error: 'quota_exceeded',
    message,
    current: current as number,
    limit: limit as number,
  }),
);

/** docs/rest.md, Surveys; partial saves and exports use the same errors. */
export const pulseErrors: ErrorTable<PulseCode | QuotaCode> = {
  ...faceErrors,
  survey_not_found: errorWithMessage(404, 'not_found'),
  response_not_found: errorWithMessage(404, 'not_found'),
  distribution_not_found: errorWithMessage(404, 'not_found'),
  invalid_link: error(403, 'invalid_link'),
  partial_not_found: errorWithMessage(404, 'not_found'),
  not_accepting_responses: errorWithMessage(422, 'not_accepting_responses'),
  no_questions: errorWithMessage(422, 'no_questions'),
  validation,
  invalid_body: errorWithMessage(400, 'invalid_body'),
  invalid_answers: errorWithMessage(400, 'invalid_answers'),
  invalid_environment: error(400, 'invalid_environment'),
  quota_exceeded: quotaExceeded,
  negative_limit: errorWithMessage(422, 'negative_limit'),
  bad_survey: errorWithMessage(422, 'bad_survey'),
  bad_predicate: errorWithMessage(422, 'bad_predicate'),
  slug_taken: errorWithMessage(409, 'slug_taken'),
  version_conflict: errorWithMessage(409, 'version_conflict'),
  question_kind_fixed: errorWithMessage(409, 'question_kind_fixed'),
  survey_archived: errorWithMessage(409, 'survey_archived'),
  transition_refused: errorWithMessage(409, 'transition_refused'),
  respondent_required: errorWithMessage(400, 'respondent_required'),
};
