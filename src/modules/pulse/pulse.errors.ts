import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { InvalidAnswer, MissingAnswer } from './questions/validate-answers.js';
import type { SurveyStatus } from './surveys/survey-statuses.js';

export const pulseFailure = defineFailures(
  {
    survey_not_found: () => 'No survey with this id or slug is visible to you.',
    response_not_found: () => 'No survey response with this id is visible to you; list the responses of the survey.',
    distribution_not_found: () =>
      'No distribution of a survey with this id is visible to you; list the distributions of the survey.',
    not_accepting_responses: ({ status }: { status: SurveyStatus }) =>
      `The survey is ${status}; only published surveys accept responses.`,
    no_questions: () => 'The survey has no questions yet; add one first.',
    validation: ({ invalid, missing }: { invalid: readonly InvalidAnswer[]; missing: readonly MissingAnswer[] }) =>
      `Required answers that are missing: ${missing.length}, wrong answers: ${invalid.length}; correct them and send the response again.`,
    invalid_body: ({ problem, part = 'request body' }: { problem: string; part?: string }) =>
      `The ${part} cannot be used: ${problem}.`,
    invalid_answers: () => 'answers must be an object: question id → answer.',
    invalid_environment: () => 'The environment is live or test.',
    invalid_link: () => 'The link has expired or was changed; ask for a new one.',
    partial_not_found: () => 'This respondent has no partial answers to this survey.',

    bad_survey: ({ path, problem }: { path: string; problem: string }) => `${path}: ${problem}.`,
    bad_predicate: ({ path, position, expected }: { path: string; position: number; expected: string }) =>
      `${path} does not parse at character ${position + 1}: expected ${expected}.`,
    slug_taken: ({ slug }: { slug: string }) => `The project has a survey "${slug}" already; choose another slug.`,
    version_conflict: ({ expected, current }: { expected: number; current: number }) =>
      `You edited version ${expected}, but version ${current} is current; load the survey again and repeat the change.`,
    question_kind_fixed: ({ questionId }: { questionId: string }) =>
      `Question ${questionId} has answers, so its kind cannot change; remove it and add a new one.`,
    survey_archived: () => 'The survey is archived; bring it back with unarchiveSurvey to change it.',
    transition_refused: ({ transition, status }: { transition: string; status: SurveyStatus }) =>
      `A survey that is ${status} cannot be changed by "${transition}".`,
    respondent_required: () => 'Say whose answers to erase: userId, externalId or email.',
  },
  { slug_taken: 'slug', question_kind_fixed: 'questions', respondent_required: 'userId' },
);

export type PulseCode = FailureCode<typeof pulseFailure>;
