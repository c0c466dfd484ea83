import { newPrefixedId } from '../../../kernel/ids.js';
import { isLongerThan } from '../../../kernel/text.js';
import { parseBranchingPredicate } from '../predicates/branching-predicate.js';
import { PredicateSyntaxError } from '../predicates/predicate-scanner.js';
import { parseTargetingPredicate } from '../predicates/targeting-predicate.js';
import { pulseFailure } from '../pulse.errors.js';
import type { BranchingRuleInput, SurveyQuestionInput, TargetingRuleInput } from '../pulse.inputs.js';
import type { Question } from '../questions/question.js';
import { isQuestionId, questionFault } from '../questions/question-definition.js';
import type { BranchingRule, SurveyTranslations, TargetingRule } from './survey-parts.js';

const MAX_QUESTIONS = 200;
const MAX_RULES = 200;
const MAX_LANGUAGES = 100;
const MAX_TRANSLATION = 5000;
const ALWAYS_SHOWN = 1000;
const LANGUAGE = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}$/;
const TRANSLATION_KEY = /^(?:survey\.(?:name|description)|question\.([A-Za-z0-9_-]+)\.(?:prompt|help_text))$/;

const bad = (path: string, problem: string) => pulseFailure('bad_survey', { path, problem });

function atMost(path: string, list: readonly unknown[], most: number): void {
  if (list.length > most) throw bad(path, `at most ${most} entries`);
}

function parsed(path: string, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof PredicateSyntaxError)) throw error;
    throw pulseFailure('bad_predicate', { path, position: error.position, expected: error.expected });
  }
}

/**
 * The questions from an editor's list, in `order_index` order. Given indexes are kept if they are unique; otherwise the questions are
 * numbered from 0. Fails with `bad_survey`.
 */
export function questionsFrom(drafts: readonly SurveyQuestionInput[]): Question[] {
  atMost('questions', drafts, MAX_QUESTIONS);
  const questions = drafts.map(
    (draft, index): Question => ({
      id: draft.id ?? newPrefixedId('qst'),
      kind: draft.kind,
      prompt: draft.prompt,
      required: draft.required ?? false,
      orderIndex: draft.orderIndex ?? index,
      options: draft.options ?? null,
      scaleMin: draft.scaleMin ?? null,
      scaleMax: draft.scaleMax ?? null,
      maxLength: draft.maxLength ?? null,
      helpText: draft.helpText ?? null,
    }),
  );
  const ids = new Set<string>();
  questions.forEach((question, index) => {
    const fault = isQuestionId(question.id)
      ? questionFault(question)
      : 'an id must have 1 to 64 letters, digits, dashes or underscores, and begin with a letter or digit';
    if (fault !== null) throw bad(`questions.${index}`, fault);
    if (ids.has(question.id)) throw bad(`questions.${index}`, `the id ${question.id} is used twice`);
    ids.add(question.id);
  });
  questions.sort((a, b) => a.orderIndex - b.orderIndex);
  const distinct = new Set(questions.map(({ orderIndex }) => orderIndex)).size === questions.length;
  return distinct ? questions : questions.map((question, orderIndex) => ({ ...question, orderIndex }));
}

/** Fails with `bad_predicate` or `bad_survey`. A rule without a weight shows the survey to everyone eligible. */
export function targetingRulesFrom(drafts: readonly TargetingRuleInput[]): TargetingRule[] {
  atMost('targetingRules', drafts, MAX_RULES);
  return drafts.map(({ predicate, weightNumerator }, index) => {
    parsed(`targetingRules.${index}.predicate`, () => parseTargetingPredicate(predicate));
    const weight = weightNumerator ?? ALWAYS_SHOWN;
    if (weight < 0 || weight > ALWAYS_SHOWN)
      throw bad(`targetingRules.${index}.weightNumerator`, 'it must be between 0 and 1000');
    return { predicate, weightNumerator: weight };
  });
}

/** Fails with `bad_predicate`, or with `bad_survey` if a rule names a question that the survey doesn't have. */
export function branchingRulesFrom(
  drafts: readonly BranchingRuleInput[],
  questions: readonly Question[],
): BranchingRule[] {
  atMost('branchingRules', drafts, MAX_RULES);
  const known = new Set(questions.map(({ id }) => id));
  return drafts.map(({ fromQuestionId, predicate, toQuestionId = null }, index) => {
    parsed(`branchingRules.${index}.predicate`, () => parseBranchingPredicate(predicate));
    const unknown = [fromQuestionId, toQuestionId].find((id) => id !== null && !known.has(id));
    if (typeof unknown === 'string') throw bad(`branchingRules.${index}`, `the survey has no question ${unknown}`);
    return { fromQuestionId, predicate, toQuestionId };
  });
}

/** Fails with `bad_survey` for a malformed key, an unknown question or a value that isn't a text. */
export function translationsFrom(
  given: Readonly<Record<string, unknown>>,
  questions: readonly Question[],
): SurveyTranslations {
  const languages = Object.entries(given);
  atMost('translations', languages, MAX_LANGUAGES);
  const known = new Set(questions.map(({ id }) => id));
  for (const [language, texts] of languages) {
    const path = `translations.${language}`;
    if (!LANGUAGE.test(language)) throw bad(path, 'a language code such as de or pt-BR is required');
    if (typeof texts !== 'object' || texts === null || Array.isArray(texts))
      throw bad(path, 'an object of texts is required');
    for (const [key, text] of Object.entries(texts)) {
      const form = TRANSLATION_KEY.exec(key);
      if (form === null) throw bad(`${path}.${key}`, 'keys must be survey.name or question.<id>.prompt');
      if (form[1] !== undefined && !known.has(form[1]))
        throw bad(`${path}.${key}`, `the survey has no question ${form[1]}`);
      if (typeof text !== 'string' || isLongerThan(text, MAX_TRANSLATION))
        throw bad(`${path}.${key}`, `a text of at most ${MAX_TRANSLATION} characters is required`);
    }
  }
  return given as SurveyTranslations;
}

/** The rules that remain valid when questions were removed and the editor didn't mention the rules. */
export function rulesLeft(rules: readonly BranchingRule[], questions: readonly Question[]): BranchingRule[] {
  const known = new Set(questions.map(({ id }) => id));
  return rules.filter(
    ({ fromQuestionId, toQuestionId }) =>
      known.has(fromQuestionId) && (toQuestionId === null || known.has(toQuestionId)),
  );
}

/** The translations that still apply when questions were removed. */
export function translationsLeft(translations: SurveyTranslations, questions: readonly Question[]): SurveyTranslations {
  const known = new Set(questions.map(({ id }) => id));
  const left = Object.entries(translations).map(([language, texts]) => {
    const kept = Object.entries(texts).filter(([key]) => {
      const question = TRANSLATION_KEY.exec(key)?.[1];
      return question === undefined || known.has(question);
    });
    return [language, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(left);
}
