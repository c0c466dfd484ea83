import type { Pool } from 'pg';
import type { Context } from '../../../kernel/context.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { DAY_MS } from '../../../kernel/values/durations.js';
import { keyOf } from '../../access/guard.js';
import { pulseFailure } from '../pulse.errors.js';
import type { CataloguedSurvey, SurveyCatalogues } from '../surveys/survey-catalogues.js';
import { answerableSurvey, checkedAnswers } from './submission.service.js';

const KEPT_MS = 30 * DAY_MS;
/** Clients save as people type, so a save may arrive after the submission it was meant to precede. Within this time it counts as late. */
const LATE_SAVE_MS = 2_000;

export interface PartialKey {
  readonly survey: string;
  readonly externalId: string;
}

export interface PartialInput extends PartialKey {
  readonly currentQuestionId: string | null;
  readonly context: Readonly<Record<string, unknown>>;
  readonly answers: Readonly<Record<string, unknown>>;
}

export interface SavedPartial {
  readonly id: string;
  readonly surveyId: string;
  readonly currentQuestionId: string | null;
  readonly expiresAt: Date;
  readonly updatedAt: Date;
}

export interface PartialAnswers extends SavedPartial {
  readonly answers: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
}

/** The same row lock as a submission's, so one of them comes first and the other sees it. */
const SAVE = `
insert into survey_partial as p (survey_id, environment, external_id, id, answers, current_question_id, context, expires_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (survey_id, environment, external_id) do update
  set id = case when p.expires_at <= excluded.updated_at then excluded.id else p.id end,
      answers = excluded.answers, current_question_id = excluded.current_question_id, context = excluded.context,
      expires_at = excluded.expires_at, updated_at = excluded.updated_at, submitted_at = null
  where p.submitted_at is null or p.submitted_at < excluded.updated_at - $10 * interval '1 millisecond'
returning id`;

const FIND = `
select id, survey_id as "surveyId", current_question_id as "currentQuestionId", expires_at as "expiresAt", updated_at as "updatedAt",
       answers, context
  from survey_partial
 where survey_id = $1 and environment = $2 and external_id = $3 and submitted_at is null and expires_at > $4`;

/** Partial answers (docs/rest.md, Surveys): one partial save per survey, `external_id` and environment, kept for 30 days. */
export class PartialService {
  constructor(
    private readonly catalogues: SurveyCatalogues,
    private readonly pool: Pool,
  ) {}

  /** Replaces the previous save. A save that arrives after the submission is answered like one that expired at once. */
  async save(ctx: Context, input: PartialInput): Promise<SavedPartial> {
    const { projectId, environment } = keyOf(ctx, 'survey');
    const survey = answerableSurvey(await this.catalogues.current(projectId), input.survey);
    const { accepted } = checkedAnswers(survey, input.answers, { required: false });
    const answers = Object.fromEntries(accepted.map(({ question, value }) => [question.id, value]));
    const { currentQuestionId, externalId } = input;
    const updatedAt = ctx.now();
    const expiresAt = new Date(updatedAt.getTime() + KEPT_MS);
    const id = newPrefixedId('part');
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'save-partial',
      text: SAVE,
      values: [
        survey.id,
        environment,
        externalId,
        id,
        JSON.stringify(answers),
        currentQuestionId,
        JSON.stringify(input.context),
        expiresAt,
        updatedAt,
        LATE_SAVE_MS,
      ],
    });
    const saved = rows[0];
    const shared = { surveyId: survey.id, currentQuestionId, updatedAt };
    return saved === undefined ? { ...shared, id, expiresAt: updatedAt } : { ...shared, id: saved.id, expiresAt };
  }

  /** Fails with `survey_not_found`, `partial_not_found`. */
  async get(ctx: Context, key: PartialKey): Promise<PartialAnswers> {
    const survey = await this.surveyOf(ctx, key);
    const partial = await this.find(ctx, survey.id, key.externalId);
    if (partial === null) throw pulseFailure('partial_not_found');
    return partial;
  }

  /** Repeating it changes nothing. Fails with `survey_not_found`. */
  async delete(ctx: Context, key: PartialKey): Promise<void> {
    const { environment } = keyOf(ctx, 'survey');
    const survey = await this.surveyOf(ctx, key);
    await this.pool.query(
      'delete from survey_partial where survey_id = $1 and environment = $2 and external_id = $3 and submitted_at is null',
      [survey.id, environment, key.externalId],
    );
  }

  /** The respondent's unexpired partial save in the key's environment, or null. */
  async find(ctx: Context, surveyId: string, externalId: string): Promise<PartialAnswers | null> {
    const { environment } = keyOf(ctx, 'survey');
    const { rows } = await this.pool.query<PartialAnswers>({
      name: 'find-partial',
      text: FIND,
      values: [surveyId, environment, externalId, ctx.now()],
    });
    return rows[0] ?? null;
  }

  /** Deletes expired saves; a submission's mark stays as long as a save may be late. Resolves with the number of rows. */
  async deleteExpired(now: Date): Promise<number> {
    const { rowCount } = await this.pool.query('delete from survey_partial where expires_at < $1', [
      new Date(now.getTime() - 10 * LATE_SAVE_MS),
    ]);
    return rowCount ?? 0;
  }

  private async surveyOf(ctx: Context, { survey }: PartialKey): Promise<CataloguedSurvey> {
    const found = (await this.catalogues.current(keyOf(ctx, 'survey').projectId)).byIdOrSlug.get(survey);
    if (found === undefined) throw pulseFailure('survey_not_found');
    return found;
  }
}
