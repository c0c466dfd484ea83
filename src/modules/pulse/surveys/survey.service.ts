import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { unlessTaken } from '../../../kernel/database/unless-taken.js';
import { isPrefixedId } from '../../../kernel/ids.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import { isLongerThan, storableJson } from '../../../kernel/text.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize } from '../../access/guard.js';
import { ProjectRows } from '../../access/project-rows.js';
import { loadOnce } from '../../access/visible-node.js';
import { pulseFailure } from '../pulse.errors.js';
import type { CreateSurveyInput, UpdateSurveyInput } from '../pulse.inputs.js';
import type { Question } from '../questions/question.js';
import { isSlug, slugFrom } from './slug.js';
import { Survey } from './survey.entity.js';
import {
  branchingRulesFrom,
  questionsFrom,
  rulesLeft,
  targetingRulesFrom,
  translationsFrom,
  translationsLeft,
} from './survey-content.js';
import { markChanged, recordVersion, surveyContent } from './survey-history.js';
import { SURVEY_VERSIONS, SURVEYS, type SurveyListArgs } from './survey-lists.js';
import { currentQuestions, replaceQuestions } from './survey-questions.js';
import { themeFrom } from './survey-theme.js';
import type { SurveyVersion } from './survey-version.entity.js';

const WEEK_IN_SECONDS = 604_800;
const MAX_NAME = 200;

/** What an editor may set; absent fields keep their value or get the default. */
type SurveyDraft = CreateSurveyInput | UpdateSurveyInput;

/** Surveys and their editing. Every edit to any part is a new version and changes the list's ETag. */
export class SurveyService {
  readonly rows = new ProjectRows(Survey, 'psv', () => pulseFailure('survey_not_found'), loadOnce);

  constructor(private readonly events: EventLog) {}

  list(operation: OperationContext, projectId: string, args: SurveyListArgs): Promise<Page<Survey>> {
    return listOfOwner(operation, 'pulse.survey.view', SURVEYS, projectId, args, {
      ...(args.status ? { status: args.status } : {}),
      ...(args.kind ? { kind: args.kind } : {}),
    });
  }

  versions(operation: OperationContext, survey: Survey, args: ListArgs): Promise<Page<SurveyVersion>> {
    return listOfOwner(operation, 'pulse.survey.view', SURVEY_VERSIONS, survey, args);
  }

  /** Fails with `survey_not_found`. */
  async getBySlug(ctx: Context, projectId: string, slug: string): Promise<Survey> {
    const project = await authorize(ctx, 'pulse.survey.view', projectId);
    const survey = await ctx.em.findOne(Survey, { projectId: project.id, slug });
    if (!survey) throw pulseFailure('survey_not_found');
    return survey;
  }

  get(ctx: Context, id: string): Promise<Survey> {
    return this.rows.get(ctx, 'pulse.survey.view', id);
  }

  /** A draft with its version 1. Fails with `bad_survey`, `bad_predicate`, `slug_taken`. */
  async create(ctx: Context, given: CreateSurveyInput): Promise<Survey> {
    const project = await authorize(ctx, 'pulse.survey.change', given.projectId);
    const draft = storableJson(given) as CreateSurveyInput;
    const slug = await freeSlug(ctx, project.id, draft);
    const survey = ctx.em.create(Survey, {
      organizationId: project.organizationId,
      projectId: project.id,
      name: draft.name,
      slug,
      kind: 'custom',
      description: '',
      autoShow: true,
      displayCooldownSeconds: WEEK_IN_SECONDS,
      displayDelayMs: 0,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    });
    const questions = applyDraft(survey, draft, []);
    await this.store(ctx, survey, questions);
    this.events.emitChange(ctx, 'pulse.survey.created', aboutSurvey(survey), null, surveyContent(survey, questions));
    return survey;
  }

  /**
   * Changes the given fields. A list replaces the previous one, and questions that keep their id keep their answers. Fails with
   * `survey_not_found`, `survey_archived`, `version_conflict`, `question_kind_fixed` and like {@link create}.
   */
  async update(ctx: Context, given: UpdateSurveyInput): Promise<Survey> {
    const { row: survey } = await this.rows.locked(ctx, 'pulse.survey.change', given.id);
    const { expectedVersion: expected } = given;
    if (typeof expected === 'number' && expected !== survey.version)
      throw pulseFailure('version_conflict', { expected, current: survey.version });
    if (survey.status === 'archived') throw pulseFailure('survey_archived');
    const stored = await currentQuestions(ctx, survey.id);
    const before = surveyContent(survey, stored);
    const questions = applyDraft(survey, storableJson(given) as UpdateSurveyInput, stored);
    if (survey.status === 'published' && questions.length === 0) throw pulseFailure('no_questions');
    survey.version += 1;
    await this.store(ctx, survey, questions);
    this.events.emitChange(ctx, 'pulse.survey.changed', aboutSurvey(survey), before, surveyContent(survey, questions));
    return survey;
  }

  async exists(ctx: Context, projectId: string, id: string): Promise<boolean> {
    return isPrefixedId('psv', id) && (await ctx.em.count(Survey, { id, projectId })) > 0;
  }

  private async store(ctx: Context, survey: Survey, questions: readonly Question[]): Promise<void> {
    await replaceQuestions(ctx, survey.id, questions);
    recordVersion(ctx, survey, questions);
    await unlessTaken(markChanged(ctx, survey), () => pulseFailure('slug_taken', { slug: survey.slug }));
  }
}

const aboutSurvey = (survey: Survey) => ({
  organizationId: survey.organizationId,
  projectId: survey.projectId,
  object: { type: 'survey', id: survey.id },
  data: { survey_id: survey.id, name: survey.name, status: survey.status },
});

/** The caller's slug, or one from the name; a number distinguishes surveys with the same name. */
async function freeSlug(ctx: Context, projectId: string, draft: CreateSurveyInput): Promise<string> {
  if (typeof draft.slug === 'string') return draft.slug;
  const slug = slugFrom(draft.name);
  // Surveys with one name that are created at the same time queue up for their numbers.
  await ctx.em.execute('select from project where id = ? for no key update', [projectId]);
  const taken = new Set(
    (await ctx.em.find(Survey, { projectId, slug: { $like: `${slug}%` } }, { fields: ['slug'] })).map(
      (survey) => survey.slug,
    ),
  );
  let free = slug;
  for (let number = 2; taken.has(free); number++) free = `${slug}-${number}`;
  return free;
}

/** Applies the given fields to the survey and returns its resulting questions. */
function applyDraft(survey: Survey, draft: SurveyDraft, stored: readonly Question[]): readonly Question[] {
  const bad = (path: string, problem: string) => pulseFailure('bad_survey', { path, problem });
  survey.name = draft.name ?? survey.name;
  survey.description = draft.description ?? survey.description;
  survey.kind = draft.kind ?? survey.kind;
  survey.slug = draft.slug ?? survey.slug;
  survey.autoShow = draft.autoShow ?? survey.autoShow;
  survey.displayCooldownSeconds = draft.displayCooldownSeconds ?? survey.displayCooldownSeconds;
  survey.displayDelayMs = draft.displayDelayMs ?? survey.displayDelayMs;
  if (survey.name.trim() === '' || isLongerThan(survey.name, MAX_NAME))
    throw bad('name', `1 to ${MAX_NAME} characters`);
  if (!isSlug(survey.slug))
    throw bad('slug', 'lower-case letters, digits, dashes and underscores, not starting with psv_');
  if (survey.displayCooldownSeconds < 0) throw bad('displayCooldownSeconds', 'zero or more');
  if (survey.displayDelayMs < 0) throw bad('displayDelayMs', 'zero or more');
  const questions = draft.questions ? questionsFrom(draft.questions) : stored;
  if (draft.targetingRules) survey.targetingRules = targetingRulesFrom(draft.targetingRules);
  survey.branchingRules = draft.branchingRules
    ? branchingRulesFrom(draft.branchingRules, questions)
    : rulesLeft(survey.branchingRules, questions);
  survey.translations = draft.translations
    ? translationsFrom(draft.translations, questions)
    : translationsLeft(survey.translations, questions);
  if (draft.theme !== undefined) survey.theme = draft.theme && themeFrom(draft.theme, survey.theme);
  return questions;
}
