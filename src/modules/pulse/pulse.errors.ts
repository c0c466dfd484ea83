import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { InvalidAnswer, MissingAnswer } from './questions/validate-answers.js';
import type { SurveyStatus } from './surveys/survey-statuses.js';

export const pulseFailure = defineFailures(
  {
    survey_not_found: () => 'No survey with this id or slug is visible to you.',
    response_not_found: () => 'No survey response with this id is visible to you. List the responses of the survey.',
    distribution_not_found: () =>
      'No survey distribution with this id is visible to you. List the distributions of the survey.',
    not_accepting_responses: ({ status }: { status: SurveyStatus }) =>
      `The survey is ${status}. Only published surveys accept responses.`,
    no_questions: () => 'The survey has no questions yet. Add one first.',
    validation: ({ invalid, missing }: { invalid: readonly InvalidAnswer[]; missing: readonly MissingAnswer[] }) =>
      `Required answers missing: ${missing.length}, invalid answers: ${invalid.length}. Correct them and send the response again.`,
    invalid_body: ({ problem, part = 'request body' }: { problem: string; part?: string }) =>
      `The ${part} is invalid: ${problem}.`,
    invalid_answers: () => 'answers must be an object: question id → answer.',
    invalid_environment: () => 'environment must be live or test.',
    invalid_link: () => 'The link has expired or was altered. Get a new one.',
    partial_not_found: () => 'This respondent has no partial answers to this survey.',

    bad_survey: ({ path, problem }: { path: string; problem: string }) => `${path}: ${problem}.`,
    bad_predicate: ({ path, position, expected }: { path: string; position: number; expected: string }) =>
      `${path} is invalid at character ${position + 1}: expected ${expected}.`,
    slug_taken: ({ slug }: { slug: string }) => `The project already has a survey "${slug}". Choose another slug.`,
    version_conflict: ({ expected, current }: { expected: number; current: number }) =>
      `You edited version ${expected}, but the current version is ${current}. Reload the survey and repeat your change.`,
    question_kind_fixed: ({ questionId }: { questionId: string }) =>
      `Question ${questionId} has answers, so its kind cannot change. Remove it and add a new one.`,
    survey_archived: () => 'The survey is archived. To change it, bring it back with unarchiveSurvey first.',
    transition_refused: ({ transition, status }: { transition: string; status: SurveyStatus }) =>
      `"${transition}" is not possible for a survey that is ${status}.`,
    respondent_required: () => 'Set userId, externalId or email to say whose answers to erase.',
  },
  { slug_taken: 'slug', question_kind_fixed: 'questions', respondent_required: 'userId' },
);

export type PulseCode = FailureCode<typeof pulseFailure>;
