import { hash } from 'node:crypto';
import type { Static } from 'typebox';
import type { DomainError } from '../../src/kernel/errors.js';
import { isLongerThan, keyText, storableJson, storableText } from '../../src/kernel/text.js';
import { isoTime } from '../../src/kernel/values/iso-time.js';
import { pulseFailure } from '../../src/modules/pulse/pulse.errors.js';
import type {
  PartialAnswers,
  PartialInput,
  PartialKey,
  SavedPartial,
} from '../../src/modules/pulse/responses/partial.service.js';
import type { SubmissionInput, Submitted } from '../../src/modules/pulse/responses/submission.service.js';
import type { Problem } from '../body-shapes.js';
import type { PartialAnswer, PartialBody, ResponseBody, SavedPartialAnswer, SubmittedAnswer } from './schemas.js';

type Fields = Readonly<Record<string, unknown>>;

const MAX_IDENTITY = 512;
const MAX_CONTEXT = 64 * 1024;

const wrong = (problem: string) => pulseFailure('invalid_body', { problem });

/** The problems of a body; those of its answers only if there are no others. */
export function refuseShape(problems: readonly Problem[]): DomainError {
  const other = problems.find(({ path }) => !/^answers(\.|$)/.test(path));
  return other ? wrong(`${other.path} ${other.problem}`.trim()) : pulseFailure('invalid_answers');
}

/** Text used as an identity is limited, because the database looks it up. */
function identityOf(name: string, text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  if (isLongerThan(text, MAX_IDENTITY)) throw wrong(`${name} has more than ${MAX_IDENTITY} characters`);
  return storableText(text);
}

/** Before the field existed, clients could send anything in it; nothing but a text identifies a response. */
function insertIdOf(given: unknown): string | null {
  if (typeof given !== 'string' || given === '') return null;
  return isLongerThan(given, MAX_IDENTITY) ? hash('sha256', given) : storableText(given);
}

/** Whatever a client reports about itself is stored as is. */
function contextOf(given: object | null | undefined): Fields {
  const context = storableJson(given ?? {}) as Fields;
  if (JSON.stringify(context).length > MAX_CONTEXT) throw wrong(`context has more than ${MAX_CONTEXT} characters`);
  return context;
}

/** Any text is kept; text longer than an id is looked up by its beginning. */
function distributionOf({ distribution_id: given }: Fields): string | null {
  return typeof given === 'string' ? keyText(given) : null;
}

/** The content of a response, with all text storable. Fails with `invalid_body`. */
export function submissionOf(body: Static<typeof ResponseBody>): SubmissionInput {
  const { respondent } = body;
  const context = contextOf(body.context);
  return {
    survey: body.survey_id,
    respondent: {
      userId: identityOf('user_id', respondent?.user_id),
      externalId: identityOf('external_id', respondent?.external_id) || null,
      email: identityOf('email', respondent?.email),
    },
    context,
    distributionId: distributionOf(context),
    submittedAt: body.submitted_at ? new Date(isoTime(body.submitted_at)) : null,
    answers: storableJson(body.answers) as Fields,
    insertId: insertIdOf(body.insert_id),
  };
}

/** The content of a partial save, with all text storable. Fails with `invalid_body`. */
export function partialOf(body: Static<typeof PartialBody>): PartialInput {
  return {
    survey: body.survey_id,
    externalId: identityOf('external_id', body.respondent.external_id) as string,
    currentQuestionId: identityOf('current_question_id', body.current_question_id),
    context: contextOf(body.context),
    answers: storableJson(body.answers) as Fields,
  };
}

/** The respondent's id in a query; null if it is missing or empty. */
export function externalIdOf(query: URLSearchParams): string | null {
  const given = query.get('external_id');
  return given ? storableText(given) : null;
}

/** Survey and respondent in a query about a partial save. Fails with `invalid_body`. */
export function partialQuery(query: URLSearchParams): PartialKey {
  const survey = query.get('survey_id');
  const externalId = externalIdOf(query);
  if (survey === null || externalId === null)
    throw pulseFailure('invalid_body', { part: 'query', problem: 'survey_id and external_id are required' });
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
