import { REDACTED_EMAIL, redactEmails, redactEmailsIn } from '../../../kernel/values/email-redaction.js';
import type { Question } from '../questions/question.js';
import type { AnswerValue } from '../questions/question-kinds.js';
import { csvRecord } from './csv.js';

export interface ExportedResponse {
  readonly id: string;
  readonly surveyId: string;
  readonly surveyVersion: number;
  readonly environment: string;
  readonly score: number | null;
  readonly submittedAt: Date;
  readonly createdAt: Date;
  readonly userId: string | null;
  readonly externalId: string | null;
  readonly email: string | null;
  readonly distributionId: string | null;
  readonly context: Readonly<Record<string, unknown>>;
  readonly answers: ReadonlyMap<string, AnswerValue>;
}

export const EXPORT_MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

export type ExportFormat = keyof typeof EXPORT_MEDIA_TYPES;

const COLUMNS = [
  'id',
  'survey_id',
  'survey_version',
  'env',
  'score',
  'submitted_at',
  'created_at',
  'user_id',
  'external_id',
  'email',
  'distribution_id',
  'release_version',
  'device_model',
  'os_version',
] as const;

/** The response as a caller below Editor may see it: without any email address. */
export function withoutEmails(response: ExportedResponse): ExportedResponse {
  return {
    ...response,
    userId: response.userId === null ? null : redactEmails(response.userId),
    externalId: response.externalId === null ? null : redactEmails(response.externalId),
    email: response.email === null ? null : REDACTED_EMAIL,
    distributionId: response.distributionId === null ? null : redactEmails(response.distributionId),
    context: redactEmailsIn(response.context) as Record<string, unknown>,
    answers: new Map([...response.answers].map(([id, value]) => [id, redactEmailsIn(value) as AnswerValue])),
  };
}

function contextText(response: ExportedResponse, key: string): string | null {
  const value = Object.hasOwn(response.context, key) ? response.context[key] : null;
  return typeof value === 'string' ? value : null;
}

function answerCell(value: AnswerValue | undefined): string | number | boolean | null {
  if (value === undefined) return null;
  return typeof value === 'object' ? value.join('; ') : value;
}

function csvRow(response: ExportedResponse, questions: readonly Question[]): string {
  return csvRecord([
    response.id,
    response.surveyId,
    response.surveyVersion,
    response.environment,
    response.score,
    response.submittedAt.toISOString(),
    response.createdAt.toISOString(),
    response.userId,
    response.externalId,
    response.email,
    response.distributionId,
    contextText(response, 'release_version'),
    contextText(response, 'device_model'),
    contextText(response, 'os_version'),
    ...questions.map(({ id }) => answerCell(response.answers.get(id))),
  ]);
}

function ndjsonRow(response: ExportedResponse): string {
  const { id, surveyId, surveyVersion, environment, score, submittedAt, createdAt } = response;
  const answers: Record<string, unknown> = Object.create(null);
  for (const [questionId, value] of response.answers) answers[questionId] = value;
  const line = {
    id,
    survey_id: surveyId,
    survey_version: surveyVersion,
    env: environment,
    score,
    submitted_at: submittedAt.toISOString(),
    created_at: createdAt.toISOString(),
    respondent: { user_id: response.userId, external_id: response.externalId, email: response.email },
    distribution_id: response.distributionId,
    context: response.context,
    answers,
  };
  return `${JSON.stringify(line)}\n`;
}

/**
 * The export as chunks of text, one per batch of responses, so that a survey of any size isn't held in memory. CSV has a header with one
 * column per question (its prompt and id) and CRLF line ends; NDJSON has one object per line.
 */
export async function* exportResponses(
  format: ExportFormat,
  questions: readonly Question[],
  batches: AsyncIterable<readonly ExportedResponse[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvRecord([...COLUMNS, ...questions.map(({ id, prompt }) => `${prompt} [${id}]`)]);
  for await (const batch of batches)
    yield batch.map((response) => (format === 'csv' ? csvRow(response, questions) : ndjsonRow(response))).join('');
}
