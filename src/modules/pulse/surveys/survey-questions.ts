import type { EntityDTO } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.js';
import { pulseFailure } from '../pulse.errors.js';
import type { Question } from '../questions/question.js';
import { SurveyQuestion } from './survey-question.entity.js';

/** The questions of a survey in `order_index` order, without removed ones. */
export function currentQuestions(ctx: Context, surveyId: string): Promise<SurveyQuestion[]> {
  return ctx.em.find(SurveyQuestion, { surveyId, removedAt: null }, { orderBy: { orderIndex: 'asc', id: 'asc' } });
}

/**
 * Replaces the survey's questions with the given ones: known ids keep their row, missing ones stay for their answers, marked as removed.
 * Fails with `question_kind_fixed`.
 */
export async function replaceQuestions(ctx: Context, surveyId: string, wanted: readonly Question[]): Promise<void> {
  const stored = new Map((await ctx.em.find(SurveyQuestion, { surveyId })).map((question) => [question.id, question]));
  for (const question of wanted) {
    const known = stored.get(question.id);
    stored.delete(question.id);
    if (known !== undefined && known.kind !== question.kind && (await hasAnswers(ctx, surveyId, question.id)))
      throw pulseFailure('question_kind_fixed', { questionId: question.id });
    const row: EntityDTO<SurveyQuestion> = {
      ...question,
      surveyId,
      options: question.options && [...question.options],
      removedAt: null,
    };
    if (known) ctx.em.assign(known, row);
    else ctx.em.create(SurveyQuestion, row);
  }
  for (const left of stored.values()) left.removedAt ??= ctx.now();
}

async function hasAnswers(ctx: Context, surveyId: string, questionId: string): Promise<boolean> {
  const rows = await ctx.em.execute<unknown[]>(
    `select 1 from survey_response r join survey_answer a on a.response_id = r.id
      where r.survey_id = ? and a.question_id = ? limit 1`,
    [surveyId, questionId],
  );
  return rows.length > 0;
}
