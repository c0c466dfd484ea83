import { isLongerThan } from '../../../kernel/text.js';
import type { Question } from './question.js';
import { type QuestionKind, questionKind } from './question-kinds.js';
import type { QuestionSettings } from './question-settings.js';

const MAX_PROMPT = 2000;
const MAX_HELP_TEXT = 10_000;
const MAX_OPTIONS = 200;
const MAX_OPTION_LENGTH = 500;
const MAX_TEXT_LENGTH = 100_000;
const SCALE_LIMIT = 1000;
const MAX_SCALE_STEPS = 100;
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const SETTING_NAMES = [
  'options',
  'scaleMin',
  'scaleMax',
  'maxLength',
] as const satisfies readonly (keyof QuestionSettings)[];

/** Whether an id may be chosen for a question; it is unique only within its survey. */
export const isQuestionId = (text: string): boolean => ID.test(text);

function optionsFault(options: readonly string[]): string | null {
  if (options.length === 0) return 'options must not be empty';
  if (options.length > MAX_OPTIONS) return `options must be at most ${MAX_OPTIONS}`;
  if (options.some((option) => option === '' || isLongerThan(option, MAX_OPTION_LENGTH)))
    return `each option must have 1 to ${MAX_OPTION_LENGTH} characters`;
  return new Set(options).size === options.length ? null : 'options must be unique';
}

function scaleFault({ min, max }: { min: number; max: number }): string | null {
  if (![min, max].every((end) => Number.isInteger(end) && Math.abs(end) <= SCALE_LIMIT))
    return `the scale must use whole numbers from -${SCALE_LIMIT} to ${SCALE_LIMIT}`;
  if (min >= max) return `the scale must end above its start (${min})`;
  return max - min < MAX_SCALE_STEPS ? null : `the scale must have at most ${MAX_SCALE_STEPS} steps`;
}

/** Stating a fixed scale is fine; any other setting that the kind doesn't support is an editor's mistake. */
function foreignSetting(kind: QuestionKind, question: Question): string | null {
  const scale = kind.scale?.(question);
  const fixed: Partial<Record<keyof QuestionSettings, number | undefined>> = {
    scaleMin: scale?.min,
    scaleMax: scale?.max,
  };
  const foreign = SETTING_NAMES.find(
    (name) => question[name] !== null && !kind.settings.includes(name) && question[name] !== fixed[name],
  );
  return foreign === undefined ? null : `${foreign} does not apply to a ${question.kind} question`;
}

/** What is wrong with an editor's question, in words, or null. The text becomes part of the caller's error message. */
export function questionFault(question: Question): string | null {
  const kind = questionKind(question.kind);
  if (question.prompt.trim() === '') return 'prompt must not be empty';
  if (isLongerThan(question.prompt, MAX_PROMPT)) return `prompt must have at most ${MAX_PROMPT} characters`;
  if ((question.helpText?.length ?? 0) > MAX_HELP_TEXT) return `helpText must have at most ${MAX_HELP_TEXT} characters`;
  const lacking = kind.needs.find((name) => question[name] === null);
  if (lacking !== undefined) return `a ${question.kind} question needs ${lacking}`;
  const foreign = foreignSetting(kind, question);
  if (foreign !== null) return foreign;
  if (question.options !== null) return optionsFault(question.options);
  if (kind.scale !== null) return scaleFault(kind.scale(question));
  const { maxLength } = question;
  if (maxLength !== null && (!Number.isInteger(maxLength) || maxLength < 1 || maxLength > MAX_TEXT_LENGTH))
    return `maxLength must be a whole number from 1 to ${MAX_TEXT_LENGTH}`;
  return null;
}
