import { actorRecord } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import type { Question } from '../questions/question.js';
import type { Survey } from './survey.entity.js';
import { SurveyVersion } from './survey-version.entity.js';

/** A survey's content, for its versions and the audit log, without counters and times. */
export function surveyContent(survey: Survey, questions: readonly Question[]): Record<string, unknown> {
  return {
    name: survey.name,
    description: survey.description,
    kind: survey.kind,
    slug: survey.slug,
    autoShow: survey.autoShow,
    displayCooldownSeconds: survey.displayCooldownSeconds,
    displayDelayMs: survey.displayDelayMs,
    questions: questions.map((question) => ({
      id: question.id,
      kind: question.kind,
      prompt: question.prompt,
      required: question.required,
      orderIndex: question.orderIndex,
      options: question.options,
      scaleMin: question.scaleMin,
      scaleMax: question.scaleMax,
      maxLength: question.maxLength,
      helpText: question.helpText,
    })),
    targetingRules: survey.targetingRules,
    branchingRules: survey.branchingRules,
    theme: survey.theme,
    translations: survey.translations,
  };
}

export function recordVersion(ctx: Context, survey: Survey, questions: readonly Question[]): void {
  ctx.em.create(SurveyVersion, {
    surveyId: survey.id,
    version: survey.version,
    content: surveyContent(survey, questions),
    actorId: actorRecord(ctx.actor).actorId,
    createdAt: ctx.now(),
  });
}

/**
 * Marks the survey and its project's catalogue as changed. The catalogue's row is locked until the transaction ends, so its number tells
 * which changes a reader has seen.
 */
export async function markChanged(ctx: Context, survey: Survey): Promise<void> {
  survey.revision += 1;
  survey.updatedAt = ctx.now();
  await ctx.em.flush();
  await ctx.em.execute(
    `insert into survey_catalogue as c (project_id, revision) values (?, 1)
     on conflict (project_id) do update set revision = c.revision + 1`,
    [survey.projectId],
  );
}
