import { withoutEmailsInRules } from '../../../kernel/targeting/conditions-without-emails.js';
import type { CompleteRule } from '../../../targeting/rules/complete-rule.js';
import { completeRules, heaviestShare, type RuleDraft } from '../../../targeting/rules/complete-rule.js';

/** The wire's rule: a different value for the members of a cohort. */
export interface RuleValue {
  cohort: string;
  value: string;
}

/** A rule of an item; it serves its value, or its split's by weight. Values are wire text. */
export interface ItemRule extends CompleteRule {
  /** With a split, the value with the largest share. */
  readonly value: string;
}

interface ItemServe extends Pick<RuleDraft, 'split'> {
  readonly value?: string | null | undefined;
}

/** A rule as given; what it serves is in the rule itself, or in `serve`. */
export interface ItemRuleDraft extends RuleDraft, ItemServe {
  readonly serve?: ItemServe | null | undefined;
}

export function completeItemRules(drafts: readonly ItemRuleDraft[], present: readonly ItemRule[]): ItemRule[] {
  const given = drafts.map(
    ({ serve, ...own }): ItemRuleDraft => (serve ? { ...own, value: serve.value, split: serve.split } : own),
  );
  return completeRules(given, present).map((rule, at) => ({
    ...rule,
    value: (rule.split ? heaviestShare(rule.split)?.value : given[at]?.value) ?? '',
  }));
}

/** The wire's rule in the rule grammar. */
function cohortRule({ cohort, value }: RuleValue): ItemRule {
  return { conditions: [{ attribute: 'cohort', values: [cohort] }], percentage: 100, value };
}

/** The first rule that has only a cohort as its condition, at 100 %: what the wire calls the rule (docs/rest.md, Remote config). */
export function wireRule(rules: readonly ItemRule[]): RuleValue | null {
  const found = rules.find(isCohortOnly);
  return found ? { cohort: found.conditions[0]?.values[0] as string, value: found.value } : null;
}

/** The rules with the wire's rule replaced, appended if there was none, or removed. */
export function withWireRule(rules: readonly ItemRule[], rule: RuleValue | null): readonly ItemRule[] {
  const at = rules.findIndex(isCohortOnly);
  if (at < 0) return rule ? [...rules, cohortRule(rule)] : rules;
  return [...rules.slice(0, at), ...(rule ? [cohortRule(rule)] : []), ...rules.slice(at + 1)];
}

/** What is stored besides the wire's rule: null if that says everything. */
export function furtherRules(rules: readonly ItemRule[]): readonly ItemRule[] | null {
  const rule = wireRule(rules);
  return JSON.stringify(rules) === JSON.stringify(rule ? [cohortRule(rule)] : []) ? null : rules;
}

/** All rules of an item, in order, from stored data. */
export function rulesOf(further: readonly ItemRule[] | null, rule: RuleValue | null): readonly ItemRule[] {
  return further ?? (rule ? [cohortRule(rule)] : []);
}

/** JSON text of `{cohort, value}`, plus `rules` if that doesn't say everything; null without rules. */
export function snapshotOfRules(rules: readonly ItemRule[]): string | null {
  const [rule, further] = [wireRule(rules), furtherRules(rules)];
  if (further === null) return rule && JSON.stringify({ cohort: rule.cohort, value: rule.value });
  return JSON.stringify({ cohort: rule?.cohort ?? null, value: rule?.value ?? null, rules: further });
}

export type RuleSnapshot = RuleValue & { readonly rules?: readonly ItemRule[] };

export function rulesOfSnapshot(snapshot: string | null): readonly ItemRule[] {
  if (snapshot === null) return [];
  const { rules, ...rule } = JSON.parse(snapshot) as RuleSnapshot;
  return rules ?? [cohortRule(rule)];
}

/** The snapshot for callers below Editor. The wire's cohort and value stay. */
export function snapshotWithoutEmails(snapshot: string | null): string | null {
  if (snapshot === null || !/@|%40/.test(snapshot)) return snapshot;
  return JSON.stringify(withoutEmailsInRules(JSON.parse(snapshot) as RuleSnapshot));
}

function isCohortOnly({ conditions, percentage, split }: ItemRule): boolean {
  const [condition] = conditions;
  if (conditions.length !== 1 || percentage !== 100 || split || condition?.attribute !== 'cohort') return false;
  const operators = [undefined, null, 'in', 'cohort'];
  return operators.includes(condition.operator) && !condition.negate && condition.values.length === 1;
}
