import type { Question } from '../../../../src/modules/pulse/questions/question.js';
import type {
  AnswerFault,
  AnswerValue,
  QuestionKindCode,
} from '../../../../src/modules/pulse/questions/question-kinds.js';

export interface KindExamples {
  /** The settings that differ from a plain question of the kind. */
  readonly settings: Partial<Question>;
  readonly good: readonly AnswerValue[];
  readonly bad: readonly (readonly [value: unknown, reason: AnswerFault])[];
  /** Answers that are allowed but empty. */
  readonly empty: readonly unknown[];
}

/** A question with the defaults of every setting. */
export function question(settings: Partial<Question> & Pick<Question, 'kind'>): Question {
  return {
    id: 'q1',
    prompt: `A ${settings.kind} question`,
    required: false,
    orderIndex: 0,
    options: null,
    scaleMin: null,
    scaleMax: null,
    maxLength: null,
    helpText: null,
    ...settings,
  };
}

const NOT_AN_INTEGER = [7.5, '9', '', true, false, [9], { value: 9 }, [], Number.POSITIVE_INFINITY].map(
  (value) => [value, 'wrong_type'] as const,
);
const NOT_A_TEXT = [7, true, ['red'], { a: 1 }].map((value) => [value, 'wrong_type'] as const);

/** Good and bad answers for every kind of question; a kind without them does not compile. */
export const KIND_EXAMPLES: Record<QuestionKindCode, KindExamples> = {
  text: {
    settings: { maxLength: 4 },
    good: ['a', 'abcd', '👩👩👩👩', '   ', '=cmd'],
    bad: [['abcde', 'length_too_long'], ['👩👩👩👩👩', 'length_too_long'], ...NOT_A_TEXT],
    empty: [''],
  },
  nps: {
    settings: {},
    good: [0, 6, 10],
    bad: [[-1, 'value_out_of_range'], [11, 'value_out_of_range'], [1e21, 'value_out_of_range'], ...NOT_AN_INTEGER],
    empty: [],
  },
  rating: {
    settings: { scaleMax: 10 },
    good: [1, 10],
    bad: [[0, 'value_out_of_range'], [11, 'value_out_of_range'], ...NOT_AN_INTEGER],
    empty: [],
  },
  csat: {
    settings: {},
    good: [1, 5],
    bad: [[0, 'value_out_of_range'], [6, 'value_out_of_range'], ...NOT_AN_INTEGER],
    empty: [],
  },
  likert: {
    settings: { scaleMin: -3, scaleMax: 3 },
    good: [-3, 0, 3],
    bad: [[-4, 'value_out_of_range'], [4, 'value_out_of_range'], ...NOT_AN_INTEGER],
    empty: [],
  },
  select: {
    settings: { options: ['red', 'blue'] },
    good: ['red', 'blue'],
    bad: [['Red', 'option_not_allowed'], ['green', 'option_not_allowed'], ...NOT_A_TEXT],
    empty: [''],
  },
  multiselect: {
    settings: { options: ['red', 'blue'] },
    good: [['red'], ['red', 'blue']],
    bad: [
      [['red', 'green'], 'option_not_allowed'],
      ['red', 'wrong_type'],
      [[1], 'wrong_type'],
      [[null], 'wrong_type'],
      [{ 0: 'red' }, 'wrong_type'],
      [true, 'wrong_type'],
    ],
    empty: [[]],
  },
  boolean: {
    settings: {},
    good: [true, false],
    bad: [0, 1, 'true', '', [], {}].map((value) => [value, 'wrong_type'] as const),
    empty: [],
  },
  date: {
    settings: {},
    good: ['2026-02-28', '2024-02-29', '2000-02-29', '0004-02-29'],
    bad: [
      '2026-02-30',
      '2025-02-29',
      '1900-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '99999-01-01',
      '01/02/2026',
      '2026-1-2',
      'tomorrow',
      '1767225600',
      '2026-01-01T00:00:00Z',
      ' 2026-01-01',
      20260101,
      true,
      ['2026-01-01'],
    ].map((value) => [value, 'wrong_type'] as const),
    empty: [''],
  },
};
