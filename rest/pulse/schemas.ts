import { Type } from 'typebox';
import { QUESTION_KINDS, type QuestionKindCode } from '../../src/modules/pulse/questions/question-kinds.js';
import { SURVEY_KINDS } from '../../src/modules/pulse/surveys/survey-kinds.js';
import { SURVEY_STATUSES } from '../../src/modules/pulse/surveys/survey-statuses.js';
import { count, environment, flag, instant, json, mapOf, nullable, oneOf, text, uuid } from '../field-schemas.js';

const surveyId = text('psv_5Jk2Qm8Zt1');
const questionId = text('qst_1');
const kind = oneOf(SURVEY_KINDS);
const status = oneOf(SURVEY_STATUSES);

const TargetingRuleSchema = Type.Object(
  {
    predicate: text('AND(event:checkout.completed, session_count >= 3)', 'Evaluated by the client.'),
    weight_numerator: count(1000, 'How many of a thousand eligible users see the survey.'),
  },
  { $id: 'TargetingRule' },
);

export const SurveySummarySchema = Type.Object(
  {
    id: surveyId,
    name: text('After checkout'),
    description: text('How did it go?'),
    kind,
    status,
    slug: text('after-checkout'),
    auto_show: flag(true),
    display_cooldown_seconds: count(604_800),
    display_delay_ms: count(0),
    targeting_rules: Type.Array(TargetingRuleSchema),
  },
  { $id: 'SurveySummary' },
);

export const SurveyList = Type.Array(SurveySummarySchema);

const SurveySchema = Type.Object(
  {
    id: surveyId,
    organization_id: uuid(),
    project_id: uuid(),
    name: text('After checkout'),
    description: text('How did it go?'),
    kind,
    status,
    slug: text('after-checkout'),
    archived_at: nullable(instant()),
    created_at: instant(),
  },
  { $id: 'Survey' },
);

export const QuestionSchema = Type.Object(
  {
    id: questionId,
    survey_id: surveyId,
    kind: oneOf(Object.keys(QUESTION_KINDS) as QuestionKindCode[]),
    prompt: text('How likely are you to recommend us?'),
    required: flag(true),
    order_index: count(0),
    options: Type.Optional(Type.Array(text('Price'))),
    scale_min: Type.Optional(Type.Integer({ examples: [1] })),
    scale_max: Type.Optional(Type.Integer({ examples: [5] })),
    max_length: Type.Optional(count(500, 'In Unicode code points.')),
    help_text: Type.Optional(text('0 is not at all, 10 is very.')),
  },
  { $id: 'Question' },
);

const BranchingRuleSchema = Type.Object(
  {
    from_question_id: questionId,
    predicate: text('answer <= 6'),
    to_question_id: nullable(text('qst_2', 'Null ends the survey.')),
  },
  { $id: 'BranchingRule' },
);

const ThemeSchema = Type.Object(
  {
    id: text('thm_1'),
    survey_id: surveyId,
    primary_color: nullable(text('#3355ff')),
    background_color: nullable(text('#ffffff')),
    foreground_color: nullable(text('#111111')),
    font_family: nullable(text('Inter')),
    dark_mode: nullable(flag(false)),
    logo_url: nullable(text('https://example.com/logo.svg')),
  },
  { $id: 'SurveyTheme' },
);

const answers = mapOf(json(9), { qst_1: 9, qst_2: 'Quick' }, 'Question id → answer: a number, text, boolean or list.');
const currentQuestionId = nullable(text('qst_2', "The respondent's current question."));

export const SurveyBundle = Type.Object(
  {
    survey: SurveySchema,
    questions: Type.Array(QuestionSchema, { description: 'Ordered by `order_index`.' }),
    targeting_rules: Type.Array(TargetingRuleSchema),
    branching_rules: Type.Array(BranchingRuleSchema),
    theme: nullable(ThemeSchema),
    translations: mapOf(
      mapOf(Type.String(), { 'survey.name': 'Nach dem Kauf' }),
      { de: { 'survey.name': 'Nach dem Kauf' } },
      'Language → `survey.name` or `question.<id>.prompt` → text.',
    ),
    partial: nullable(Type.Object({ answers, current_question_id: currentQuestionId }, { $id: 'PartialAnswers' })),
  },
  { $id: 'SurveyBundle' },
);

const Context = Type.Object(
  {
    release_version: Type.Optional(nullable(text('4.2.1'))),
    device_model: Type.Optional(nullable(text('iPhone18,1'))),
    os_version: Type.Optional(nullable(text('19.1'))),
    distribution_id: Type.Optional(
      nullable(text('dst_9Qw8Er7Ty6', 'Attributes the response to an email distribution.')),
    ),
  },
  { $id: 'ResponseContext', additionalProperties: true, description: 'Additional fields are stored as is.' },
);

const externalId = Type.String({ maxLength: 512, examples: ['respondent-1'] });

export const ResponseBody = Type.Object(
  {
    survey_id: text('psv_5Jk2Qm8Zt1', 'Id or slug.'),
    respondent: Type.Optional(
      nullable(
        Type.Object({
          user_id: Type.Optional(nullable(Type.String({ maxLength: 512, examples: ['user-1'] }))),
          external_id: Type.Optional(nullable(externalId)),
          email: Type.Optional(nullable(Type.String({ maxLength: 512, examples: ['grace@example.com'] }))),
        }),
      ),
    ),
    context: Type.Optional(nullable(Context)),
    submitted_at: Type.Optional(nullable(instant('Defaults to server time.'))),
    answers,
    insert_id: Type.Optional(
      json(
        '8f14e45f',
        'A text: a repeat with the same one is not stored again and returns the first response. Anything else counts as none.',
      ),
    ),
  },
  { $id: 'SurveyResponse' },
);

export const PartialBody = Type.Object(
  {
    survey_id: text('psv_5Jk2Qm8Zt1', 'Id or slug.'),
    respondent: Type.Object({ external_id: Type.String({ minLength: 1, maxLength: 512, examples: ['respondent-1'] }) }),
    context: Type.Optional(nullable(Context)),
    current_question_id: Type.Optional(currentQuestionId),
    answers,
  },
  { $id: 'PartialResponse' },
);

export const SubmittedAnswer = Type.Object(
  {
    id: text('resp_3Df6Gh9Jk2'),
    score: nullable(Type.Integer({ description: 'Null if there is no scorable answer.', examples: [9] })),
    env: environment(),
    survey: surveyId,
  },
  { $id: 'SubmittedResponse' },
);

export const SavedPartialAnswer = Type.Object(
  {
    id: text('part_3Df6Gh9Jk2'),
    survey_id: surveyId,
    current_question_id: currentQuestionId,
    expires_at: instant(),
    updated_at: instant(),
  },
  { $id: 'SavedPartial' },
);

export const PartialAnswer = Type.Object({
  ...SavedPartialAnswer.properties,
  answers,
  context: mapOf(json('any'), { release_version: '4.2.1' }),
});

export const Deleted = Type.Object({ deleted: flag(true) });

export const SurveyParams = Type.Object({ survey_id: text('after-checkout', 'Id or slug.') });
export const ExportParams = Type.Object({ id: text('psv_5Jk2Qm8Zt1', 'The survey.') });
export const ExportLinkParams = Type.Object({ export: text('WyJwc3ZfNUprMlFtOFp0MSJd') });
export const ExportQuery = Type.Object({ environment: Type.Optional(environment('Defaults to `live`.')) });
export const BundleQuery = Type.Object({
  external_id: Type.Optional(text('respondent-1', 'The respondent whose partial save is included.')),
});
export const PartialQuery = Type.Object({
  survey_id: text('psv_5Jk2Qm8Zt1', 'Id or slug.'),
  external_id: Type.String({ minLength: 1, examples: ['respondent-1'] }),
});
