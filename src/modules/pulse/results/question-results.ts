import type { NpsSummary, SurveyQuestionResults } from '../pulse.results.js';
import type { Question } from '../questions/question.js';
import { type AnswerValue, questionKind } from '../questions/question-kinds.js';

/** How often one answer was given. A multiselect answer counts once per option, so there `value` is one option. */
export interface AnswerCount {
  readonly value: Exclude<AnswerValue, readonly string[]>;
  readonly count: number;
}

/** The rest of a question's results is about the question itself. */
export type QuestionResult = Pick<SurveyQuestionResults, 'answered' | 'nps' | 'average' | 'distribution'>;

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;

const total = (counts: readonly AnswerCount[]): number => counts.reduce((sum, { count }) => sum + count, 0);

export function npsResult(counts: readonly AnswerCount[]): NpsSummary {
  const promoters = total(counts.filter(({ value }) => Number(value) >= 9));
  const detractors = total(counts.filter(({ value }) => Number(value) <= 6));
  const answers = total(counts);
  return {
    score: answers === 0 ? null : round((100 * (promoters - detractors)) / answers, 1),
    promoters,
    passives: answers - promoters - detractors,
    detractors,
  };
}

/** Mean of numeric answers, two decimals; null without answers. */
export function averageOf(counts: readonly AnswerCount[]): number | null {
  const answers = total(counts);
  return answers === 0
    ? null
    : round(counts.reduce((sum, { value, count }) => sum + Number(value) * count, 0) / answers, 2);
}

/** Every value that the question offers, followed by those of earlier versions. */
function valuesInOrder(question: Question, given: Iterable<string>): string[] {
  const scale = questionKind(question.kind).scale?.(question);
  const offered =
    scale !== undefined
      ? Array.from({ length: scale.max - scale.min + 1 }, (_, step) => String(scale.min + step))
      : question.kind === 'boolean'
        ? ['true', 'false']
        : (question.options ?? []);
  const known = new Set(offered);
  const numeric = scale !== undefined;
  const others = [...given].filter((value) => !known.has(value));
  others.sort(numeric ? (a, b) => Number(a) - Number(b) : undefined);
  return [...offered, ...others];
}

/**
 * The results of one question.
 * @param counts how often each answer was given
 * @param answered responses that answered it; in a multiselect question, more options than responses can be chosen
 */
export function questionResult(question: Question, counts: readonly AnswerCount[], answered: number): QuestionResult {
  const { results } = questionKind(question.kind);
  const byValue = new Map(counts.map(({ value, count }) => [String(value), count]));
  const distribution =
    results === 'count'
      ? []
      : valuesInOrder(question, byValue.keys()).map((value) => {
          const count = byValue.get(value) ?? 0;
          return { value, count, share: answered === 0 ? 0 : round(count / answered, 4) };
        });
  return {
    answered,
    nps: results === 'nps' ? npsResult(counts) : null,
    average: results === 'nps' || results === 'scale' ? averageOf(counts) : null,
    distribution,
  };
}
