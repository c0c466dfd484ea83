import { questionKind } from './question-kinds.js';
import type { AcceptedAnswer } from './validate-answers.js';

/**
 * The headline score of a response (docs/rest.md, Surveys): the answer to the first answered nps, rating, csat or likert question in
 * `order_index` order; null without one.
 */
export function responseScore(accepted: readonly AcceptedAnswer[]): number | null {
  const first = accepted.find(({ question }) => questionKind(question.kind).scorable);
  return first === undefined ? null : (first.value as number);
}
