import type { Static } from 'typebox';
import { storableJson, storableText } from '../../src/kernel/text.js';
import { pulseFailure } from '../../src/modules/pulse/pulse.errors.js';
import type { PartialAnswers, PartialInput, SavedPartial } from '../../src/modules/pulse/responses/partial.service.js';
import type {
  RespondentInput,
  SubmissionInput,
  Submitted,
} from '../../src/modules/pulse/responses/submission.service.js';
import { parseTimestamp } from '../../src/modules/pulse/responses/timestamp.js';
import { type Body, objectOf } from '../body.js';
import type { PartialAnswer, SavedPartialAnswer, SubmittedAnswer } from './schemas.js';

const MAX_IDENTITY = 512;
const MAX_CONTEXT = 64 * 1024;
const CONTEXT_TEXTS = ['release_version', 'device_model', 'os_version', 'distribution_id'] as const;

type Fields = Readonly<Record<string, unknown>>;

const wrong = (problem: string) => pulseFailure('invalid_body', { problem });

const field = (object: Fields, name: string): unknown => (Object.hasOwn(object, name) ? (object[name] ?? null) : null);

function optionalText(object: Fields, name: string, most: number): string | null {
  const value = field(object, name);
  if (value === null) return null;
  if (typeof value !== 'string') throw wrong(`${name} must be a string`);
  if (value.length > most) throw wrong(`${name} has more than ${most} characters`);
  return storableText(value);
}

function optionalObject(object: Fields, name: string): Fields {
  const value = field(object, name);
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong(`${name} must be an object`);
  return value as Fields;
}

function surveyOf(object: Fields): string {
  const survey = field(object, 'survey_id');
  if (typeof survey !== 'string') throw wrong('survey_id must be a string');
  return survey;
}

function respondentOf(object: Fields): RespondentInput {
  const respondent = optionalObject(object, 'respondent');
  return {
    userId: optionalText(respondent, 'user_id', MAX_IDENTITY),
    externalId: optionalText(respondent, 'external_id', MAX_IDENTITY) || null,
    email: optionalText(respondent, 'email', MAX_IDENTITY),
  };
}

/** What a client reports about itself: known fields are texts, others are stored as they come. */
function contextOf(object: Fields): Fields {
  const context = storableJson(optionalObject(object, 'context')) as Fields;
  for (const name of CONTEXT_TEXTS) optionalText(context, name, MAX_CONTEXT);
  if (JSON.stringify(context).length > MAX_CONTEXT) throw wrong(`context has more than ${MAX_CONTEXT} characters`);
  return context;
}

function submittedAtOf(object: Fields): Date | null {
  const text = field(object, 'submitted_at');
  if (text === null) return null;
  const instant = typeof text === 'string' ? parseTimestamp(text) : null;
  if (instant === null) throw wrong('submitted_at must be an ISO 8601 time');
  return instant;
}

function answersOf(object: Fields): Fields {
  const answers = field(object, 'answers');
  if (answers === null || typeof answers !== 'object' || Array.isArray(answers)) throw pulseFailure('invalid_answers');
  return storableJson(answers) as Fields;
}

function requestObject(body: Body): Fields {
  const object = objectOf(body);
  if (object === null) throw wrong('it is not a JSON object');
  return object;
}

/** docs/rest.md, Surveys. Fails with `invalid_body`, then with `invalid_answers`. */
export function submissionBody(body: Body): SubmissionInput {
  const object = requestObject(body);
  const survey = surveyOf(object);
  const respondent = respondentOf(object);
  const context = contextOf(object);
  const distributionId = field(context, 'distribution_id') as string | null;
  return {
    survey,
    respondent,
    context,
    distributionId,
    submittedAt: submittedAtOf(object),
    answers: answersOf(object),
  };
}

/** A partial save (docs/rest.md, Surveys). Fails with `invalid_body`, then with `invalid_answers`. */
export function partialBody(body: Body): PartialInput {
  const object = requestObject(body);
  const survey = surveyOf(object);
  const { externalId } = respondentOf(object);
  if (externalId === null) throw wrong('respondent.external_id is required');
  const currentQuestionId = optionalText(object, 'current_question_id', MAX_IDENTITY);
  return { survey, externalId, currentQuestionId, context: contextOf(object), answers: answersOf(object) };
}

/** The respondent's id in a query; null when there is none or an empty one. */
export function externalIdOf(query: URLSearchParams): string | null {
  const given = query.get('external_id');
  return given ? storableText(given) : null;
}

/** Survey and respondent of a query about a partial save. Fails with `invalid_body`. */
export function partialQuery(query: URLSearchParams): { survey: string; externalId: string } {
  const survey = query.get('survey_id');
  const externalId = externalIdOf(query);
  if (survey === null || externalId === null) throw wrong('the query must have survey_id and external_id');
  return { survey, externalId };
}

export const submittedAnswer = ({ id, score, environment, surveyId }: Submitted): Static<typeof SubmittedAnswer> => ({
  id,
  score,
  env: environment,
  survey: surveyId,
});

export const savedPartialAnswer = (partial: SavedPartial): Static<typeof SavedPartialAnswer> => ({
  id: partial.id,
  survey_id: partial.surveyId,
  current_question_id: partial.currentQuestionId,
  expires_at: partial.expiresAt.toISOString(),
  updated_at: partial.updatedAt.toISOString(),
});

export const partialAnswer = (partial: PartialAnswers): Static<typeof PartialAnswer> => ({
  ...savedPartialAnswer(partial),
  answers: partial.answers,
  context: partial.context,
});
