import { conditionKindOf } from '../evaluation/condition-kinds.js';
import type { FlagBehaviour, FlagRule, FlagVariant } from './flag-definition.js';
import { type FlagKindName, flagKinds, valueText } from './flag-kinds.js';

/** What a caller gives to describe a flag's behaviour; what is absent is filled in. */
export interface FlagDraft {
  readonly kind: FlagKindName;
  readonly variants?: readonly FlagVariant[] | null | undefined;
  readonly defaultVariant?: string | null | undefined;
  /** The default variant by its value, as `default_value` writes it. */
  readonly defaultValue?: string | null | undefined;
  readonly rules?: readonly RuleDraft[] | null | undefined;
}

/** A rule as given: no conditions and 100 % mean everyone. */
export interface RuleDraft {
  readonly conditions?: FlagRule['conditions'] | null | undefined;
  readonly percentage?: number | null | undefined;
  readonly variant: string;
}

/** Something wrong with a draft: where, as a path of the input, and what. */
export interface FlagProblem {
  readonly path: string;
  readonly problem: string;
}

/** Limits of a flag's size, so that a decision stays cheap: entries of lists, texts in UTF-16 units, values in bytes. */
export const FLAG_LIMITS = {
  variants: 100,
  rules: 100,
  conditions: 20,
  values: 10_000,
  textLength: 400,
  valueBytes: 65_536,
};

const STEPS = 1000;

/**
 * Completes a draft. A boolean flag without variants gets `on` and `off`; the default variant is the one named, else
 * the one with the default value, else for a boolean the one that is false, else the first.
 *
 * @returns the behaviour, and everything that is wrong with it; it may be stored when nothing is.
 */
export function completeFlag(draft: FlagDraft): { behaviour: FlagBehaviour; problems: FlagProblem[] } {
  const kind = flagKinds[draft.kind];
  const given = draft.variants?.length ? draft.variants : kind.variants(draft.defaultValue ?? undefined);
  const variants = given.map(({ key, value }) => ({ key, value: kind.value(value) }));
  const rules = (draft.rules ?? []).map((rule) => ({
    conditions: (rule.conditions ?? []).map(({ attribute, values }) => ({ attribute, values: [...values] })),
    percentage: rule.percentage ?? 100,
    variant: rule.variant,
  }));
  const behaviour = { variants, defaultVariant: defaultOf(draft, variants), rules };
  return { behaviour, problems: [...variantProblems(draft, behaviour), ...ruleProblems(behaviour)] };
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

function variantProblems(draft: FlagDraft, { variants, defaultVariant }: FlagBehaviour): FlagProblem[] {
  const problems: FlagProblem[] = [];
  const keys = new Set<string>();
  if (variants.length > FLAG_LIMITS.variants) problems.push(tooMany('variants', FLAG_LIMITS.variants));
  for (const [index, { key, value }] of variants.entries()) {
    const path = `variants[${index}]`;
    if (key === '' || key.length > FLAG_LIMITS.textLength) problems.push(badLength(`${path}.key`));
    if (keys.has(key)) problems.push({ path: `${path}.key`, problem: 'must differ from the other variants' });
    keys.add(key);
    if (value === undefined) {
      problems.push({
        path: `${path}.value`,
        problem: `must be among the ${draft.kind} values: ${flagKinds[draft.kind].valuesAre}`,
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

function ruleProblems({ variants, rules }: FlagBehaviour): FlagProblem[] {
  const problems: FlagProblem[] = [];
  if (rules.length > FLAG_LIMITS.rules) problems.push(tooMany('rules', FLAG_LIMITS.rules));
  for (const [index, rule] of rules.entries()) {
    const path = `rules[${index}]`;
    if (!variants.some((variant) => variant.key === rule.variant)) {
      problems.push({ path: `${path}.variant`, problem: 'must name one of the variants' });
    }
    if (!isPercentage(rule.percentage)) {
      problems.push({ path: `${path}.percentage`, problem: `must be 0 to 100 in steps of ${1 / STEPS}` });
    }
    if (rule.conditions.length > FLAG_LIMITS.conditions)
      problems.push(tooMany(`${path}.conditions`, FLAG_LIMITS.conditions));
    problems.push(
      ...rule.conditions.flatMap((condition, at) => conditionProblems(`${path}.conditions[${at}]`, condition)),
    );
  }
  return problems;
}

function conditionProblems(path: string, { attribute, values }: FlagRule['conditions'][number]): FlagProblem[] {
  const kind = conditionKindOf(attribute);
  if (kind === null || attribute.length > FLAG_LIMITS.textLength) {
    const problem = 'must be cohort, props.<key>, app_version, platform or distinct_id';
    return [{ path: `${path}.attribute`, problem }];
  }
  if (values.length === 0) return [{ path: `${path}.values`, problem: 'must not be empty' }];
  if (values.length > FLAG_LIMITS.values) return [tooMany(`${path}.values`, FLAG_LIMITS.values)];
  return values.flatMap((value, index) => {
    const problem = value.length > FLAG_LIMITS.textLength ? badLength(path).problem : kind.problem(value);
    return problem === null ? [] : [{ path: `${path}.values[${index}]`, problem }];
  });
}

function isPercentage(percentage: number): boolean {
  const scaled = percentage * STEPS;
  return percentage >= 0 && percentage <= 100 && Math.abs(scaled - Math.round(scaled)) < 1e-6;
}

function tooMany(path: string, limit: number): FlagProblem {
  return { path, problem: `must not have more than ${limit} entries` };
}

function badLength(path: string): FlagProblem {
  return { path, problem: `must have 1 to ${FLAG_LIMITS.textLength} characters` };
}
