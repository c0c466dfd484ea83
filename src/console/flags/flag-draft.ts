import type { FlagWholeFragment } from '#documents';
import { roundedIn, textOf, typedValue } from '../parts/fields/typed-values.js';
import { draftsOf, inputOf, type RuleDraft } from '../rules/rule-draft.js';

export interface VariantDraft {
  /** An id of its own within the flag, whatever its name. */
  id: number;
  key: string;
  /** The value as typed. */
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
  /** Other flags that must serve one of these variants; otherwise this flag serves its default. */
  prerequisites: readonly PrerequisiteDraft[];
}

type Behaviour = Pick<FlagWholeFragment, 'defaultVariant' | 'variants' | 'rules'> & {
  /** Missing in versions older than prerequisites. */
  prerequisites?: readonly PrerequisiteDraft[];
};

/** Why a text isn't a valid variant value, or would be stored as a different one. */
export function variantFault({ text }: Pick<VariantDraft, 'text'>): string | undefined {
  const value = typedValue(text);
  if (value === text)
    return /^\s*["[{]/.test(text) ? "This isn't valid JSON. If you mean a text, put it in quotes." : undefined;
  const rounded = roundedIn(text);
  return rounded && `${rounded} would be rounded. Put it in quotes to keep it as a text.`;
}

/** Why a prerequisite can't be saved: part of it isn't chosen. */
export function prerequisiteFault({ key, variants }: PrerequisiteDraft): string | undefined {
  if (key === '') return 'Choose a flag, or remove the row.';
  return variants.length === 0 ? `Choose which variants ${key} must serve.` : undefined;
}

/** A value as typed on one line. */
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

/** The draft as `updateFlag` expects it. */
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

/** A draft in readable form, for comparing two. */
export const flagText = (draft: FlagDraft): string => JSON.stringify(flagInputOf(draft), null, 2);

export function draftOfVersion(behaviour: unknown, description: string): FlagDraft {
  return flagDraftOf({ ...(behaviour as Behaviour), description });
}
