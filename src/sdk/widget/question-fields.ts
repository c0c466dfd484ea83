import type { Json } from '../core/json.js';
import type { Question, QuestionKind } from '../core/surveys/survey-bundle.js';
import { element } from './dom.js';
import type { Words } from './words.js';

/** The control that answers a question. */
export interface QuestionField {
  readonly element: HTMLElement;
  read(): Json | undefined;
  /** The control that takes the focus. */
  readonly first: HTMLElement | null;
}

interface Choice {
  readonly value: Json;
  readonly label: string;
}

interface FieldContext {
  readonly question: Question;
  readonly answer: Json | undefined;
  readonly words: Words;
  /** Id of the element that shows the error. */
  readonly faultId: string;
}

const NAME = 'answer';

/** One row per question kind. */
const FIELDS: Readonly<Record<QuestionKind, (context: FieldContext) => QuestionField>> = {
  text: typedField((context) => {
    const control = element('textarea', { ...typedBy(context), rows: 3 });
    limitCharacters(control, context.question.max_length ?? Number.POSITIVE_INFINITY);
    return control;
  }),
  date: typedField((context) => element('input', { ...typedBy(context), type: 'date' })),
  nps: (context) => scale(context, 0, 10, context.words.ends.nps),
  rating: (context) => scale(context, 1, context.question.scale_max ?? 5),
  csat: (context) => scale(context, 1, 5, context.words.ends.csat),
  likert: (context) =>
    scale(context, context.question.scale_min ?? 1, context.question.scale_max ?? 7, context.words.ends.likert),
  select: (context) => choices(context, 'radio', optionsOf(context)),
  multiselect: (context) => choices(context, 'checkbox', optionsOf(context)),
  boolean: (context) =>
    choices(context, 'radio', [
      { value: true, label: context.words.yes },
      { value: false, label: context.words.no },
    ]),
};

/** Creates the control for a question; null for a kind that only a newer server knows. */
export function questionField(context: FieldContext): QuestionField | null {
  return FIELDS[context.question.kind]?.(context) ?? null;
}

const optionsOf = ({ question }: FieldContext): Choice[] =>
  (question.options ?? []).map((option) => ({ value: option, label: option }));

const typedBy = ({ question, faultId }: FieldContext) => ({
  class: 'typed',
  'aria-labelledby': 'prompt',
  'aria-describedby': `help ${faultId}`,
  'aria-required': question.required ? 'true' : null,
});

/**
 * Like `maxlength`, but counts characters as the server does: the attribute counts UTF-16 units, of which an emoji has
 * two or more.
 */
function limitCharacters(control: HTMLTextAreaElement, most: number): void {
  const cut = (): void => {
    const { value, selectionEnd } = control;
    const excess = [...value].length - most;
    if (excess <= 0) return;
    // The latest input ends at the caret.
    const before = [...value.slice(0, selectionEnd)];
    const kept = before.slice(0, Math.max(0, before.length - excess)).join('');
    control.value = [...(kept + value.slice(selectionEnd))].slice(0, most).join('');
    control.setSelectionRange(kept.length, kept.length);
  };
  // Text must not be changed during IME composition.
  control.addEventListener('input', (event) => (event as InputEvent).isComposing || cut());
  control.addEventListener('compositionend', cut);
}

function typedField(make: (context: FieldContext) => HTMLInputElement | HTMLTextAreaElement) {
  return (context: FieldContext): QuestionField => {
    const control = make(context);
    if (typeof context.answer === 'string') control.value = context.answer;
    return { element: control, first: control, read: () => control.value.trim() || undefined };
  };
}

function scale(context: FieldContext, from: number, to: number, ends?: readonly [string, string]): QuestionField {
  const numbers = Array.from({ length: to - from + 1 }, (_, at): Choice => {
    return { value: from + at, label: String(from + at) };
  });
  const field = choices(context, 'radio', numbers, 'scale');
  if (!ends) return field;
  const captions = element('div', { class: 'ends' }, element('span', {}, ends[0]), element('span', {}, ends[1]));
  captions.id = 'ends';
  field.element.setAttribute('aria-describedby', `ends help ${context.faultId}`);
  field.element.append(captions);
  return field;
}

/** Native controls in a group, which bring arrow keys and screen reader support. */
function choices(
  { question, answer, faultId }: FieldContext,
  type: 'radio' | 'checkbox',
  given: readonly Choice[],
  look = 'list',
): QuestionField {
  const chosen = Array.isArray(answer) ? answer : [answer];
  const inputs = given.map(({ value }) => {
    const input = element('input', { type, name: NAME });
    input.checked = chosen.includes(value);
    return input;
  });
  const labels = given.map(({ label }, at) =>
    element('label', {}, inputs[at] as HTMLInputElement, element('span', {}, label)),
  );
  const group = element(
    'div',
    {
      class: `group ${look}`,
      role: type === 'radio' ? 'radiogroup' : 'group',
      'aria-labelledby': 'prompt',
      'aria-describedby': `help ${faultId}`,
      'aria-required': type === 'radio' && question.required ? 'true' : null,
    },
    element('div', { class: 'choices' }, ...labels),
  );
  const values = (): Json[] => given.flatMap(({ value }, at) => (inputs[at]?.checked ? [value] : []));
  return {
    element: group,
    first: inputs.find(({ checked }) => checked) ?? inputs[0] ?? null,
    read: () => (type === 'checkbox' ? values() : values()[0]),
  };
}
