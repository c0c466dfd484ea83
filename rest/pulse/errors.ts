import type { PulseCode } from '../../src/modules/pulse/pulse.errors.js';
import type { InvalidAnswer, MissingAnswer } from '../../src/modules/pulse/validate-answers.js';
import type { QuotaCode } from '../../src/modules/quotas/quotas.errors.js';
import { type ErrorRow, type ErrorTable, error, errorWithMessage, faceErrors } from '../error-table.js';

const validation: ErrorRow = {
  status: 400,
  body: (details, message) => ({
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
};

const quotaExceeded: ErrorRow = {
  status: 402,
  body: ({ current, limit }, message) => ({ error: 'quota_exceeded', message, current, limit }),
};

/** Service interface 7, "Survey bundle" and "Survey response"; partial saves and exports answer alike. */
export const pulseErrors: ErrorTable<PulseCode | QuotaCode> = {
  ...faceErrors,
  survey_not_found: errorWithMessage(404, 'not_found'),
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
