import { createHash, type Hash } from 'node:crypto';
import type { Static } from 'typebox';
import { onOwnMemory } from '../../src/kernel/memory/own-memory.js';
import type { Question } from '../../src/modules/pulse/questions/question.js';
import type { PartialAnswers } from '../../src/modules/pulse/responses/partial.service.js';
import type { CataloguedSurvey, SurveyCatalogue } from '../../src/modules/pulse/surveys/survey-catalogues.js';
import type { BranchingRule, SurveyTheme, TargetingRule } from '../../src/modules/pulse/surveys/survey-parts.js';
import type { QuestionSchema, SurveyBundle, SurveySummarySchema } from './schemas.js';

/** A project's surveys as bytes, created once per state. */
interface Rendered {
  readonly etag: string;
  readonly body: Buffer;
  readonly bundles: Map<string, RenderedBundle>;
}

interface RenderedBundle {
  /** The bytes before the value of `partial`. */
  readonly head: string;
  /** The whole bundle without a partial save. */
  readonly plain: { readonly etag: string; readonly body: Buffer };
}

const rendered = new WeakMap<SurveyCatalogue, Rendered>();

/** docs/rest.md, Surveys: the bundle's bytes and its strong ETag. */
export function surveyBundle(
  catalogue: SurveyCatalogue,
  survey: CataloguedSurvey,
  partial: PartialAnswers | null,
): { etag: string; body: Buffer } {
  const { bundles } = surveyList(catalogue);
  let bundle = bundles.get(survey.id);
  if (bundle === undefined) {
    const head = `${JSON.stringify(bundleOf(survey)).slice(0, -1)},"partial":`;
    bundle = { head, plain: tagged(onOwnMemory(Buffer.from(`${head}null}`))) };
    bundles.set(survey.id, bundle);
  }
  if (partial === null) return bundle.plain;
  return tagged(Buffer.from(`${bundle.head}${JSON.stringify(presentPartial(partial))}}`));
}

const tagged = (body: Buffer): { etag: string; body: Buffer } => ({
  etag: quotedTag(createHash('sha256').update(body)),
  body,
});

const quotedTag = (hash: Hash): string => `"${hash.digest('base64url').slice(0, 27)}"`;

/** docs/rest.md, Surveys: the list's bytes and its strong ETag. */
export function surveyList(catalogue: SurveyCatalogue): Rendered {
  let known = rendered.get(catalogue);
  if (known === undefined) {
    const list = catalogue.surveys.filter(({ status }) => status === 'published').map(presentSummary);
    known = { etag: etagOf(catalogue), body: onOwnMemory(Buffer.from(JSON.stringify(list))), bundles: new Map() };
    rendered.set(catalogue, known);
  }
  return known;
}

/**
 * The pairs of id and `updated_at`, plus the revision that distinguishes edits within one millisecond; of all surveys, not only the listed
 * ones.
 */
function etagOf({ surveys }: SurveyCatalogue): string {
  const hash = createHash('sha256');
  for (const { id, updatedAt, revision } of surveys) hash.update(`${id} ${updatedAt.toISOString()} ${revision}\n`);
  return quotedTag(hash);
}

const presentSummary = (survey: CataloguedSurvey): Static<typeof SurveySummarySchema> => ({
  id: survey.id,
  name: survey.name,
  description: survey.description,
  kind: survey.kind,
  status: survey.status,
  slug: survey.slug,
  auto_show: survey.autoShow,
  display_cooldown_seconds: survey.displayCooldownSeconds,
  display_delay_ms: survey.displayDelayMs,
  targeting_rules: survey.targetingRules.map(presentTargetingRule),
});

const bundleOf = (survey: CataloguedSurvey): Omit<Static<typeof SurveyBundle>, 'partial'> => ({
  survey: {
    id: survey.id,
    organization_id: survey.organizationId,
    project_id: survey.projectId,
    name: survey.name,
    description: survey.description,
    kind: survey.kind,
    status: survey.status,
    slug: survey.slug,
    archived_at: survey.archivedAt?.toISOString() ?? null,
    created_at: survey.createdAt.toISOString(),
  },
  questions: survey.questions.map((question) => presentQuestion(survey.id, question)),
  targeting_rules: survey.targetingRules.map(presentTargetingRule),
  branching_rules: survey.branchingRules.map(presentBranchingRule),
  theme: survey.theme && presentTheme(survey.id, survey.theme),
  translations: survey.translations,
});

const presentTargetingRule = ({ predicate, weightNumerator }: TargetingRule) => ({
  predicate,
  weight_numerator: weightNumerator,
});

const presentBranchingRule = ({ fromQuestionId, predicate, toQuestionId }: BranchingRule) => ({
  from_question_id: fromQuestionId,
  predicate,
  to_question_id: toQuestionId,
});

const presentQuestion = (surveyId: string, question: Question): Static<typeof QuestionSchema> => ({
  id: question.id,
  survey_id: surveyId,
  kind: question.kind,
  prompt: question.prompt,
  required: question.required,
  order_index: question.orderIndex,
  ...(question.options === null ? {} : { options: [...question.options] }),
  ...(question.scaleMin === null ? {} : { scale_min: question.scaleMin }),
  ...(question.scaleMax === null ? {} : { scale_max: question.scaleMax }),
  ...(question.maxLength === null ? {} : { max_length: question.maxLength }),
  ...(question.helpText === null ? {} : { help_text: question.helpText }),
});

const presentTheme = (surveyId: string, theme: SurveyTheme) => ({
  id: theme.id,
  survey_id: surveyId,
  primary_color: theme.primaryColor,
  background_color: theme.backgroundColor,
  foreground_color: theme.foregroundColor,
  font_family: theme.fontFamily,
  dark_mode: theme.darkMode,
  logo_url: theme.logoUrl,
});

const presentPartial = ({ answers, currentQuestionId }: PartialAnswers): Static<typeof SurveyBundle>['partial'] => ({
  answers,
  current_question_id: currentQuestionId,
});
