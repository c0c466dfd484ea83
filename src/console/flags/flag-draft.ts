import type { FlagWholeFragment } from '#documents';
import { roundedIn, textOf, typedValue } from '../parts/fields/typed-values.js';
import { draftsOf, inputOf, type RuleDraft } from '../rules/rule-draft.js';

export interface VariantDraft {
  /** Its own among those of the flag, whatever it is called. */
  id: number;
  key: string;
  /** The value as it is typed. */
  text: string;
}

export interface PrerequisiteDraft {
  key: string;
  variants: readonly string[];
}

export interface FlagDraft {
  description: string;
  defaultVariant: string;
  variants: readonly VariantDraft[];
  rules: readonly RuleDraft[];
  /** Other flags that must serve one of these variants, or this flag serves its default. */
  prerequisites: readonly PrerequisiteDraft[];
}

type Behaviour = Pick<FlagWholeFragment, 'defaultVariant' | 'variants' | 'rules'> & {
  /** Absent in versions that are older than prerequisites. */
  prerequisites?: readonly PrerequisiteDraft[];
};

/** Why a text is no value of a variant, or would be stored as another one. */
export function variantFault({ text }: Pick<VariantDraft, 'text'>): string | undefined {
  const value = typedValue(text);
  if (value === text)
    return /^\s*["[{]/.test(text) ? 'This is no JSON. A text that begins so stands in quotes.' : undefined;
  const rounded = roundedIn(text);
  return rounded && `${rounded} would be rounded. In quotes it is kept, as a text.`;
}

/** Why a flag that is needed cannot be stored: nothing is chosen of it. */
export function prerequisiteFault({ key, variants }: PrerequisiteDraft): string | undefined {
  if (key === '') return 'Choose the flag that is needed, or remove the row.';
  return variants.length === 0 ? `Choose what ${key} must serve.` : undefined;
}

/** A value as it is typed in one line. */
function variantText(value: unknown): string {
  const text = textOf(value);
  return typeof value === 'string' && (/[\r\n]/.test(text) || variantFault({ text })) ? JSON.stringify(value) : text;
}

export const variantInputs = (variants: readonly VariantDraft[]) =>
  variants.map(({ key, text }) => ({ key, value: typedValue(text) }));

export const flagDraftOf = ({ description, ...behaviour }: Behaviour & { description: string }): FlagDraft => ({
  description,
  defaultVariant: behaviour.defaultVariant,
  variants: behaviour.variants.map(({ key, value }, id) => ({ id, key, text: variantText(value) })),
  prerequisites: behaviour.prerequisites ?? [],
  rules: draftsOf(behaviour.rules, ({ variant, split }) => ({
    serves: variant,
    split: split?.map((share) => ({ serves: share.variant, weight: share.weight })) ?? null,
  })),
});

/** The draft as `updateFlag` takes it. */
export const flagInputOf = ({ description, defaultVariant, variants, rules, prerequisites }: FlagDraft) => ({
  description,
  defaultVariant,
  variants: variantInputs(variants),
  prerequisites: prerequisites.map(({ key, variants: wanted }) => ({ key, variants: [...wanted] })),
  rules: rules.map((rule) => ({
    ...inputOf(rule),
    ...(rule.split
      ? { split: rule.split.map(({ serves, weight }) => ({ variant: serves, weight })) }
      : { variant: rule.serves }),
  })),
});

/** What two drafts are compared by, and what a person reads of the difference. */
export const flagText = (draft: FlagDraft): string => JSON.stringify(flagInputOf(draft), null, 2);

export function draftOfVersion(behaviour: unknown, description: string): FlagDraft {
  return flagDraftOf({ ...(behaviour as Behaviour), description });
}
