import type { FlagWholeFragment } from '#documents';
import { draftOf, inputOf, type RuleDraft } from '../rules/rule-draft.js';

export interface VariantDraft {
  key: string;
  value: unknown;
}

export interface PrerequisiteDraft {
  key: string;
  variants: readonly string[];
}

/** What can be edited of a flag. */
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

export const flagDraftOf = ({ description, ...behaviour }: Behaviour & { description: string }): FlagDraft => ({
  description,
  defaultVariant: behaviour.defaultVariant,
  variants: behaviour.variants,
  prerequisites: behaviour.prerequisites ?? [],
  rules: behaviour.rules.map((rule) =>
    draftOf(rule, rule.variant, rule.split?.map(({ variant, weight }) => ({ serves: variant, weight })) ?? null),
  ),
});

/** The draft as `updateFlag` takes it. */
export const flagInputOf = ({ description, defaultVariant, variants, rules, prerequisites }: FlagDraft) => ({
  description,
  defaultVariant,
  variants: variants.map(({ key, value }) => ({ key, value })),
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

/** A version of the history as a draft of today. */
export function draftOfVersion(behaviour: unknown, description: string): FlagDraft {
  return flagDraftOf({ ...(behaviour as Behaviour), description });
}
