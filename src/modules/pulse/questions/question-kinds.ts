import { isLongerThan } from '../../../kernel/text.js';
import { isIsoDate } from '../../../kernel/values/iso-date.js';
import type { QuestionSettings } from './question-settings.js';

/** Why an answer is rejected (docs/rest.md, Surveys). */
export type AnswerFault = 'value_out_of_range' | 'wrong_type' | 'option_not_allowed' | 'length_too_long';

export type AnswerValue = string | number | boolean | readonly string[];

export type ResultForm = 'nps' | 'scale' | 'choices' | 'count';

export interface QuestionKind {
  readonly settings: readonly (keyof QuestionSettings)[];
  readonly needs: readonly (keyof QuestionSettings)[];
  /** Lowest and highest answer of a kind with integer answers. */
  readonly scale: ((settings: QuestionSettings) => { min: number; max: number }) | null;
  /** The first answered question of such a kind gives the response its score (docs/rest.md, Surveys). */
  readonly scorable: boolean;
  readonly results: ResultForm;
  /** True for an empty answer: it doesn't satisfy `required` and isn't stored. */
  readonly isEmpty: (value: unknown) => boolean;
  /** The fault of an answer that is not empty, or null when it has none (docs/rest.md, Surveys). */
  readonly fault: (value: unknown, settings: QuestionSettings) => AnswerFault | null;
}

const NEVER_EMPTY = () => false;
const IS_EMPTY_TEXT = (value: unknown) => value === '';
const IS_EMPTY_LIST = (value: unknown) => Array.isArray(value) && value.length === 0;

function integerKind(
  scale: (settings: QuestionSettings) => { min: number; max: number },
  settings: readonly (keyof QuestionSettings)[],
  results: ResultForm = 'scale',
): QuestionKind {
  return {
    settings,
    needs: [],
    scale,
    scorable: true,
    results,
    isEmpty: NEVER_EMPTY,
    fault: (value, given) => {
      if (!Number.isInteger(value)) return 'wrong_type';
      const { min, max } = scale(given);
      return (value as number) < min || (value as number) > max ? 'value_out_of_range' : null;
    },
  };
}

/** Of kinds whose answers are no numbers. */
const WITHOUT_SCALE = { settings: [], needs: [], scale: null, scorable: false } as const;
const CHOICES = { ...WITHOUT_SCALE, settings: ['options'], needs: ['options'], results: 'choices' } as const;

/** Every question kind with its behaviour (docs/rest.md, Surveys): one row each. */
export const QUESTION_KINDS = {
  text: {
    ...WITHOUT_SCALE,
    settings: ['maxLength'],
    results: 'count',
    isEmpty: IS_EMPTY_TEXT,
    fault: (value, { maxLength }) => {
      if (typeof value !== 'string') return 'wrong_type';
      return maxLength !== null && isLongerThan(value, maxLength) ? 'length_too_long' : null;
    },
  },
  nps: integerKind(() => ({ min: 0, max: 10 }), [], 'nps'),
  rating: integerKind(({ scaleMax }) => ({ min: 1, max: scaleMax ?? 5 }), ['scaleMax']),
  csat: integerKind(() => ({ min: 1, max: 5 }), []),
  likert: integerKind(
    ({ scaleMin, scaleMax }) => ({ min: scaleMin ?? 1, max: scaleMax ?? 7 }),
    ['scaleMin', 'scaleMax'],
  ),
  select: {
    ...CHOICES,
    isEmpty: IS_EMPTY_TEXT,
    fault: (value, { options }) => {
      if (typeof value !== 'string') return 'wrong_type';
      return options?.includes(value) ? null : 'option_not_allowed';
    },
  },
  multiselect: {
    ...CHOICES,
    isEmpty: IS_EMPTY_LIST,
    fault: (value, { options }) => {
      if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) return 'wrong_type';
      const allowed = new Set(options);
      return value.every((entry) => allowed.has(entry)) ? null : 'option_not_allowed';
    },
  },
  boolean: {
    ...WITHOUT_SCALE,
    results: 'choices',
    isEmpty: NEVER_EMPTY,
    fault: (value) => (typeof value === 'boolean' ? null : 'wrong_type'),
  },
  date: {
    ...WITHOUT_SCALE,
    results: 'choices',
    isEmpty: IS_EMPTY_TEXT,
    fault: (value) => (typeof value === 'string' && isIsoDate(value) ? null : 'wrong_type'),
  },
} as const satisfies Record<string, QuestionKind>;

export type QuestionKindCode = keyof typeof QUESTION_KINDS;

export const QUESTION_KIND_CODES = Object.keys(QUESTION_KINDS) as QuestionKindCode[];

export const questionKind = (code: QuestionKindCode): QuestionKind => QUESTION_KINDS[code];
