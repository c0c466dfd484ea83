import {
  type FlagBehaviour,
  type FlagRule,
  type FlagShare,
  type FlagVariant,
  targetingRule,
} from '../../../targeting/flags/flag-definition.js';
import type { Prerequisite } from '../../../targeting/prerequisites/prerequisite.js';
import { completeRules, heaviestShare, type RuleDraft } from '../../../targeting/rules/complete-rule.js';
import { type Problem, RULE_LIMITS, ruleProblems } from '../../../targeting/rules/rule-problems.js';
import { type FlagKindName, flagKinds, valueText } from './flag-kinds.js';
import { completePrerequisites, shapeProblems } from './flag-needs.js';

/** A caller's description of a flag's behavior; absent parts are filled in. */
export interface FlagDraft {
  readonly kind: FlagKindName;
  readonly variants?: readonly FlagVariant[] | null | undefined;
  readonly defaultVariant?: string | null | undefined;
  /** The default variant by its value, in the format of `default_value`. */
  readonly defaultValue?: string | null | undefined;
  readonly rules?: readonly FlagRuleDraft[] | null | undefined;
  readonly prerequisites?: readonly Prerequisite[] | null | undefined;
  /** The flag's current rules: their splits keep as many people as possible. */
  readonly present?: readonly FlagRule[] | undefined;
}

/** Limits of a flag's size: entries of lists, texts in UTF-16 units, values in bytes; those of rules are RULE_LIMITS. */
const FLAG_LIMITS = { variants: 100, textLength: RULE_LIMITS.textLength, valueBytes: 65_536 };

/**
 * Completes a draft. A boolean flag without variants gets `on` and `off`; the default variant is the one named, else the one with the
 * default value, else for a boolean the one that is false, else the first.
 *
 * @returns the behavior, and everything that is wrong with it; it may be stored if nothing is.
 */
export function completeFlag(draft: FlagDraft): { behaviour: Required<FlagBehaviour>; problems: Problem[] } {
  const kind = flagKinds[draft.kind];
  const given = draft.variants?.length ? draft.variants : kind.variants(draft.defaultValue ?? undefined);
  const variants = given.map(({ key, value }) => ({ key, value: kind.value(value) }));
  const rules = completeFlagRules(draft.rules ?? [], draft.present ?? []);
  const prerequisites = completePrerequisites(draft.prerequisites ?? []);
  const behaviour = { variants, defaultVariant: defaultOf(draft, variants), rules, prerequisites };
  const problems = [...variantProblems(draft, behaviour), ...rulesProblems(behaviour), ...shapeProblems(prerequisites)];
  return { behaviour, problems };
}

function defaultOf(draft: FlagDraft, variants: readonly FlagVariant[]): string {
  if (draft.defaultVariant) return draft.defaultVariant;
  const { defaultValue } = draft;
  const named =
    defaultValue == null
      ? variants.find((variant) => draft.kind === 'boolean' && variant.value === false)
      : variants.find((variant) => variant.value !== undefined && valueText(variant.value) === defaultValue);
  return named?.key ?? (defaultValue == null ? (variants[0]?.key ?? '') : '');
}

function variantProblems(draft: FlagDraft, { variants, defaultVariant }: FlagBehaviour): Problem[] {
  const problems: Problem[] = [];
  const keys = new Set<string>();
  if (variants.length > FLAG_LIMITS.variants) problems.push(tooMany('variants', FLAG_LIMITS.variants));
  for (const [index, { key, value }] of variants.entries()) {
    const path = `variants[${index}]`;
    if (key === '' || key.length > FLAG_LIMITS.textLength) problems.push(badLength(`${path}.key`));
    if (keys.has(key)) problems.push({ path: `${path}.key`, problem: 'must be unique among the variants' });
    keys.add(key);
    if (value === undefined) {
      problems.push({
        path: `${path}.value`,
        problem: `must be one of the ${draft.kind} values: ${flagKinds[draft.kind].valuesAre}`,
      });
    } else if (Buffer.byteLength(valueText(value)) > FLAG_LIMITS.valueBytes) {
      problems.push({ path: `${path}.value`, problem: `must not exceed ${FLAG_LIMITS.valueBytes} bytes` });
    }
  }
  const chosen = variants.find((variant) => variant.key === defaultVariant);
  if (chosen === undefined) {
    const path = draft.defaultVariant ? 'defaultVariant' : 'defaultValue';
    problems.push({ path, problem: 'must name one of the variants' });
  } else if (
    draft.defaultValue != null &&
    chosen.value !== undefined &&
    valueText(chosen.value) !== draft.defaultValue
  ) {
    problems.push({ path: 'defaultValue', problem: 'must be the value of the default variant' });
  }
  return problems;
}

function rulesProblems({ variants, rules }: FlagBehaviour): Problem[] {
  const known = new Set(variants.map(({ key }) => key));
  const unknown = rules.flatMap(({ variant, split }, index) => {
    const named = split?.map((share, at) => [`rules[${index}].split[${at}].variant`, share.variant] as const);
    return (named ?? [[`rules[${index}].variant`, variant] as const])
      .filter(([, key]) => !known.has(key))
      .map(([path]) => ({ path, problem: 'must name one of the variants' }));
  });
  return [...unknown, ...ruleProblems(rules.map(targetingRule))];
}

function tooMany(path: string, limit: number): Problem {
  return { path, problem: `must not have more than ${limit} entries` };
}

function badLength(path: string): Problem {
  return { path, problem: `must have 1 to ${FLAG_LIMITS.textLength} characters` };
}

interface FlagServe {
  readonly variant?: string | null | undefined;
  readonly split?: readonly FlagShare[] | null | undefined;
}

/** A flag's rule as given; what it serves is in the rule itself, or in `serve`. */
interface FlagRuleDraft extends Omit<RuleDraft, 'split'>, FlagServe {
  readonly serve?: FlagServe | null | undefined;
}

function completeFlagRules(drafts: readonly FlagRuleDraft[], present: readonly FlagRule[]): FlagRule[] {
  const given = drafts.map(({ serve, ...own }) =>
    serve ? { ...own, variant: serve.variant, split: serve.split } : own,
  );
  const rules = completeRules(
    given.map(({ split, ...draft }) => ({
      ...draft,
      split: split?.map(({ variant, weight }) => ({ value: variant, weight })),
    })),
    present.map(targetingRule),
  );
  return rules.map(({ split, ...rule }, at) => {
    if (!split) return { ...rule, variant: given[at]?.variant ?? '' };
    const shares = split.map(({ value, ...share }) => ({ variant: value, ...share }));
    return { ...rule, variant: heaviestShare(split)?.value ?? '', split: shares };
  });
}
