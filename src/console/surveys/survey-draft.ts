import type { QuestionKind, SurveyWholeFragment } from '#documents';

export interface QuestionDraft {
  id: string;
  kind: QuestionKind;
  prompt: string;
  helpText: string;
  required: boolean;
  options: readonly string[];
  scaleMin: number | null;
  scaleMax: number | null;
  maxLength: number | null;
}

export interface BranchDraft {
  fromQuestionId: string;
  predicate: string;
  /** Null ends the survey. */
  toQuestionId: string | null;
}

export interface ThemeDraft {
  primaryColor: string | null;
  backgroundColor: string | null;
  foregroundColor: string | null;
  fontFamily: string | null;
  logoUrl: string | null;
  darkMode: boolean | null;
}

/** Language → `survey.name` or `question.<id>.prompt` → text. */
export type TranslationsDraft = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface SurveyDraft {
  name: string;
  description: string;
  questions: readonly QuestionDraft[];
  branchingRules: readonly BranchDraft[];
  targetingRules: readonly { predicate: string; weightNumerator: number }[];
  autoShow: boolean;
  displayDelayMs: number;
  displayCooldownSeconds: number;
  theme: ThemeDraft | null;
  translations: TranslationsDraft;
}

const HAS_OPTIONS: ReadonlySet<QuestionKind> = new Set(['select', 'multiselect']);

export const takesOptions = ({ kind }: QuestionDraft): boolean => HAS_OPTIONS.has(kind);

/** A question that isn't saved yet. Branches can already lead to it. */
export const newQuestion = (): QuestionDraft => ({
  id: `q-${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`,
  kind: 'text',
  prompt: '',
  helpText: '',
  required: false,
  options: [],
  scaleMin: null,
  scaleMax: null,
  maxLength: null,
});

export const surveyDraftOf = (survey: SurveyWholeFragment): SurveyDraft => ({
  name: survey.name,
  description: survey.description,
  questions: survey.questions.map(({ helpText, options, ...question }) => ({
    ...question,
    helpText: helpText ?? '',
    options: options ?? [],
  })),
  branchingRules: survey.branchingRules,
  targetingRules: survey.targetingRules,
  autoShow: survey.autoShow,
  displayDelayMs: survey.displayDelayMs,
  displayCooldownSeconds: survey.displayCooldownSeconds,
  theme: survey.theme,
  translations: survey.translations as TranslationsDraft,
});

/** The draft as `updateSurvey` expects it. */
export const surveyInputOf = ({ questions, branchingRules, targetingRules, ...rest }: SurveyDraft) => ({
  ...rest,
  questions: questions.map((question, orderIndex) => ({
    id: question.id,
    kind: question.kind,
    prompt: question.prompt,
    required: question.required,
    orderIndex,
    ...(question.helpText ? { helpText: question.helpText } : {}),
    ...(takesOptions(question) ? { options: [...question.options] } : {}),
    ...(question.kind === 'likert' && question.scaleMin !== null ? { scaleMin: question.scaleMin } : {}),
    ...((question.kind === 'likert' || question.kind === 'rating') && question.scaleMax !== null
      ? { scaleMax: question.scaleMax }
      : {}),
    ...(question.kind === 'text' && question.maxLength !== null ? { maxLength: question.maxLength } : {}),
  })),
  branchingRules: branchingRules.map(({ fromQuestionId, predicate, toQuestionId }) => ({
    fromQuestionId,
    predicate,
    toQuestionId,
  })),
  targetingRules: targetingRules.map(({ predicate, weightNumerator }) => ({ predicate, weightNumerator })),
});

/** Removes a question from a draft, along with its branches and translations. */
export function withoutQuestion(draft: SurveyDraft, id: string): Partial<SurveyDraft> {
  const key = `question.${id}.prompt`;
  return {
    questions: draft.questions.filter((question) => question.id !== id),
    branchingRules: draft.branchingRules.filter(
      ({ fromQuestionId, toQuestionId }) => fromQuestionId !== id && toQuestionId !== id,
    ),
    translations: Object.fromEntries(
      Object.entries(draft.translations).map(([language, texts]) => [
        language,
        Object.fromEntries(Object.entries(texts).filter(([name]) => name !== key)),
      ]),
    ),
  };
}
