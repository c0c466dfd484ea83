import pg from 'pg';
import { Client } from '../client.js';
import { QUESTIONS } from '../factories/survey-factory.js';
import { mutate } from './mutate.js';

interface Side {
  owner: Client;
  projectId: string;
  key: string;
}

/** What the survey part of the fixture needs from the stage that all parts share. */
export interface PulseStage {
  readonly server: { baseUrl: string; databaseUrl: string };
  readonly fixture: Record<string, string>;
  readonly ours: Side;
  readonly other: Side;
  /** Creates another project in the other organization. */
  extraProject(name: string): Promise<Side>;
}

interface Survey {
  id: string;
  slug: string;
}

const LIST = '/api/pulse/surveys';

/**
 * Creates the surveys, responses and saves that the corpus of bad inputs refers to, and adds their names to the
 * fixture.
 */
export async function pulseFixture({ server, fixture, ours, other, extraProject }: PulseStage): Promise<void> {
  await setResponses(ours.owner, ours.projectId, 'enterprise', null);
  const survey = await createSurvey(ours, 'Fixture', 'publish');
  Object.assign(fixture, {
    SURVEY_ID: survey.id,
    Q_NPS: 'nps',
    Q_RATING: 'stars',
    Q_CSAT: 'mood',
    Q_LIKERT: 'agree',
    Q_TEXT: 'why',
    Q_SELECT: 'colour',
    Q_MULTI: 'tags',
    Q_BOOL: 'again',
    Q_DATE: 'when',
    OPT_A: 'red',
    RESPONDENT_EMAIL: 'respondent@fixture.example',
  });
  for (const [name, transitions] of [
    ['DRAFT', []],
    ['CLOSED', ['publish', 'close']],
    ['ARCHIVED', ['publish', 'archive']],
  ] as const) {
    const made = await createSurvey(ours, `Fixture ${name}`, ...transitions);
    fixture[`${name}_SURVEY_ID`] = made.id;
    fixture[`${name}_SURVEY_SLUG`] = made.slug;
  }
  fixture.NOQ_SURVEY_ID = await surveyWithoutQuestions(server.databaseUrl, ours);
  await addRespondent(server.baseUrl, ours, survey.id, fixture.RESPONDENT_EMAIL as string);
  fixture.ETAG_BEFORE_EDIT = await etagOf(server.baseUrl, ours);
  await mutate(ours.owner, 'updateSurvey', 'UpdateSurveyInput', { id: survey.id, description: 'Edited' });
  fixture.ETAG = await etagOf(server.baseUrl, ours);
  await addForeignSurvey(server.baseUrl, fixture, other);
  await addUsedUpQuota(fixture, ours.owner, await extraProject('Responses used up'));
}

async function addForeignSurvey(baseUrl: string, fixture: Record<string, string>, other: Side): Promise<void> {
  const survey = await createSurvey(other, 'Their survey', 'publish');
  const respondent = { external_id: 'their-respondent' };
  await ok(
    new Client(baseUrl)
      .withKey(other.key)
      .post('/api/pulse/partial', { survey_id: survey.id, respondent, answers: { nps: 3 } }),
  );
  const distribution = await mutate(other.owner, 'createDistribution', 'CreateDistributionInput', {
    surveyId: survey.id,
    name: 'Their mailing',
  });
  Object.assign(fixture, {
    OTHER_PROJECT_SURVEY_ID: survey.id,
    OTHER_PROJECT_SURVEY_SLUG: survey.slug,
    OTHER_PROJECT_EXTERNAL_ID: respondent.external_id,
    OTHER_PROJECT_DISTRIBUTION_ID: distribution.id,
    OTHER_PROJECT_ETAG: await etagOf(baseUrl, other),
  });
}

async function addUsedUpQuota(fixture: Record<string, string>, operator: Client, side: Side): Promise<void> {
  const survey = await createSurvey(side, 'Used up', 'publish');
  await setResponses(operator, side.projectId, 'hobby', 0);
  Object.assign(fixture, { KEY_RESPONSE_QUOTA_FULL: side.key, QUOTA_SURVEY_ID: survey.id, QUOTA_Q_NPS: 'nps' });
}

async function addRespondent(baseUrl: string, side: Side, surveyId: string, email: string): Promise<void> {
  const client = new Client(baseUrl).withKey(side.key);
  const respondent = { user_id: 'fixture-respondent', email };
  await ok(client.post('/api/pulse/responses', { survey_id: surveyId, answers: { nps: 9 }, respondent }));
  await ok(client.post('/api/v1/people', { distinct_id: 'fixture-respondent', properties: { email } }));
}

/**
 * No API can create one: publishing requires a question, and the last question of a published survey cannot be removed.
 */
async function surveyWithoutQuestions(databaseUrl: string, side: Side): Promise<string> {
  const { id } = await createSurvey(side, 'Without questions', 'publish');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('update survey_question set removed_at = now() where survey_id = $1', [id]);
    await client.query('update survey set revision = revision + 1 where id = $1', [id]);
    await client.query('update survey_catalogue set revision = revision + 1 where project_id = $1', [side.projectId]);
  } finally {
    await client.end();
  }
  return id;
}

async function createSurvey(side: Side, name: string, ...transitions: readonly string[]): Promise<Survey> {
  const input = { projectId: side.projectId, name, questions: QUESTIONS };
  const survey = await mutate<Survey>(side.owner, 'createSurvey', 'CreateSurveyInput', input, 'id slug');
  for (const transition of transitions) await mutate(side.owner, `${transition}Survey`, 'IdInput', { id: survey.id });
  return survey;
}

async function setResponses(
  operator: Client,
  projectId: string,
  plan: string,
  responses: number | null,
): Promise<void> {
  const input = { projectId, plan, overrides: { responses } };
  await mutate(operator, 'setProjectPlan', 'SetProjectPlanInput', input, '__typename');
}

async function etagOf(baseUrl: string, side: Side): Promise<string> {
  const { headers } = await ok(new Client(baseUrl).withKey(side.key).get(LIST));
  return headers.get('etag') ?? '';
}

async function ok<T extends { status: number; text: string }>(sent: Promise<T>): Promise<T> {
  const answer = await sent;
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}
