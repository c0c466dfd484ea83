import type { Pool } from 'pg';
import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { mayIn } from '../../access/guard.js';
import type { Question } from '../questions/question.js';
import type { AnswerValue } from '../questions/question-kinds.js';
import type { Survey } from '../surveys/survey.entity.js';
import type { SurveyService } from '../surveys/survey.service.js';
import { SurveyQuestion } from '../surveys/survey-question.entity.js';
import type { ExportLinks, LinkedExport } from './export-links.js';
import type { ResponseService } from './response.service.js';
import { type ExportedResponse, type ExportFormat, exportResponses, withoutEmails } from './response-export.js';

const BATCH = 500;

const RESPONSES = `
select r.id, r.survey_id as "surveyId", r.survey_version as "surveyVersion", r.environment, r.score, r.submitted_at as "submittedAt",
       r.created_at as "createdAt", r.user_id as "userId", r.external_id as "externalId", r.email,
       r.distribution_id as "distributionId", r.context,
       (select json_agg(json_build_array(a.question_id, a.value)) from survey_answer a where a.response_id = r.id) as answers
  from survey_response r
 where r.survey_id = $1 and r.environment = $2 and r.id > $3
 order by r.id limit ${BATCH}`;

type Row = Omit<ExportedResponse, 'answers'> & { answers: [string, AnswerValue][] | null };

/** Exports of all responses of a survey, however many: they are read in batches while the bytes are sent. */
export class ExportService {
  constructor(
    private readonly surveys: SurveyService,
    private readonly responses: ResponseService,
    private readonly pool: Pool,
    private readonly links: ExportLinks,
  ) {}

  /** The file's chunks, oldest response first. Permissions are checked before the first. Fails with `survey_not_found`. */
  async export(
    ctx: Context,
    surveyId: string,
    format: ExportFormat,
    environment: Environment,
  ): Promise<AsyncIterable<string>> {
    const survey = await this.surveys.rows.get(ctx, 'pulse.response.view', surveyId);
    const withEmails = await this.responses.mayReadEmails(ctx, survey.projectId);
    return this.chunks(ctx, { surveyId: survey.id, environment, format, withEmails });
  }

  /** A link that downloads the same for five minutes, for a survey that the caller has been shown; null if they may not read responses. */
  async linkTo(ctx: Context, survey: Survey, format: ExportFormat, environment: Environment): Promise<string | null> {
    if (!(await mayIn(ctx, 'pulse.response.view', survey.projectId))) return null;
    const withEmails = await this.responses.mayReadEmails(ctx, survey.projectId);
    return this.links.urlOf({ surveyId: survey.id, environment, format, withEmails }, ctx.now());
  }

  /** The export of a link, for anyone who has it. Fails with `invalid_link`. */
  async linked(
    ctx: Context,
    format: ExportFormat,
    link: string,
    query: URLSearchParams,
  ): Promise<AsyncIterable<string>> {
    return this.chunks(ctx, this.links.read(format, link, query, ctx.now()));
  }

  private async chunks(
    ctx: Context,
    { surveyId, environment, format, withEmails }: LinkedExport,
  ): Promise<AsyncIterable<string>> {
    const questions = await questionsEverAsked(ctx, surveyId);
    const batches = this.batches(surveyId, environment, withEmails ? (response) => response : withoutEmails);
    return exportResponses(format, questions, batches);
  }

  private async *batches(
    surveyId: string,
    environment: Environment,
    shown: (response: ExportedResponse) => ExportedResponse,
  ): AsyncGenerator<ExportedResponse[]> {
    let last = '';
    for (;;) {
      const { rows } = await this.pool.query<Row>({
        name: 'export-responses',
        text: RESPONSES,
        values: [surveyId, environment, last],
      });
      if (rows.length > 0) yield rows.map((row) => shown({ ...row, answers: new Map(row.answers) }));
      if (rows.length < BATCH) return;
      last = rows.at(-1)?.id ?? '';
    }
  }
}

/** Current questions in their order, then those removed by edits. */
async function questionsEverAsked(ctx: Context, surveyId: string): Promise<Question[]> {
  const questions = await ctx.em.find(SurveyQuestion, { surveyId }, { orderBy: { orderIndex: 'asc', id: 'asc' } });
  const { current = [], removed = [] } = Object.groupBy(questions, ({ removedAt }) =>
    removedAt === null ? 'current' : 'removed',
  );
  return [...current, ...removed];
}
