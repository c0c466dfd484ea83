import type { Question } from './question.js';
import { type AnswerFault, type AnswerValue, questionKind } from './question-kinds.js';

export interface InvalidAnswer {
  readonly questionId: string;
  readonly prompt: string;
  readonly reason: AnswerFault;
}

export interface MissingAnswer {
  readonly questionId: string;
  readonly prompt: string;
}

export interface AcceptedAnswer {
  readonly question: Question;
  readonly value: AnswerValue;
}

export interface AnswerCheck {
  /** Answers to store, in the order of the questions. */
  readonly accepted: readonly AcceptedAnswer[];
  readonly invalid: readonly InvalidAnswer[];
  readonly missing: readonly MissingAnswer[];
}

/** The stored value: -0 becomes 0, and duplicate options are removed. */
function storedValue(value: AnswerValue): AnswerValue {
  if (Object.is(value, -0)) return 0;
  return Array.isArray(value) ? [...new Set(value)] : value;
}

/**
 * Checks a client's answers against the survey's questions (docs/rest.md, Surveys): null isn't an answer, an empty text or list isn't
 * stored and doesn't satisfy `required`, and unknown ids are ignored.
 * @param questions in `order_index` order, which is the order of both lists
 * @param answers parsed from JSON, with any keys; text must already be storable
 * @param required false for partial saves, where nothing is missing yet
 */
export function validateAnswers(
  questions: readonly Question[],
  answers: Readonly<Record<string, unknown>>,
  { required }: { required: boolean },
): AnswerCheck {
  const accepted: AcceptedAnswer[] = [];
  const invalid: InvalidAnswer[] = [];
  const missing: MissingAnswer[] = [];
  for (const question of questions) {
    const { id: questionId, prompt } = question;
    const value = Object.hasOwn(answers, questionId) ? (answers[questionId] ?? null) : null;
    const empty = value === null || questionKind(question.kind).isEmpty(value);
    if (empty && required && question.required) {
      missing.push({ questionId, prompt });
    } else if (!empty) {
      const reason = questionKind(question.kind).fault(value, question);
      if (reason !== null) invalid.push({ questionId, prompt, reason });
      else accepted.push({ question, value: storedValue(value as AnswerValue) });
    }
  }
  return { accepted, invalid, missing };
}
