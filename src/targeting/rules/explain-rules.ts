import { Compilation } from '../compilation.js';
import { compileCondition } from '../compile-condition.js';
import type { Condition, Scalar } from '../condition.js';
import type { CompiledCondition } from '../condition-match.js';
import type { Finding } from '../finding.js';
import { typeOf } from '../operators/operator.js';
import type { Subject } from '../subject.js';
import { shareFinder } from './allocation.js';
import { bucketsCovered } from './bucket.js';
import { bucketKey, hasValue } from './bucket-key.js';
import type { Rule } from './rule.js';

/** A condition, the value it saw and whether it holds. */
export interface ConditionExplanation extends Condition {
  readonly holds: boolean;
  /** The attribute's value, shortened if long, or null when absent. */
  readonly seen: unknown;
  /** Why it does not hold; null when it does. */
  readonly because: string | null;
}

export interface RuleExplanation {
  readonly index: number;
  readonly conditions: readonly ConditionExplanation[];
  readonly percentage: number;
  /** The subject's bucket for this rule (0 to 99,999), or null without a value to bucket by. */
  readonly bucket: number | null;
  /** Whether that bucket is within the percentage. */
  readonly inRollout: boolean;
  /** The subject's share of the split; null without a split. */
  readonly share: number | null;
  readonly applies: boolean;
  /** The first condition that failed, that the rollout leaves the subject out, or that the rule applies. */
  readonly because: string;
}

const LONGEST_SEEN = 200;

const SAID: Record<Exclude<Finding, 'yes' | 'no'>, string> = {
  absent: 'is absent',
  'other type': 'has a type that the operator does not support',
  'too long': 'is too long to compare',
};

/** Explains all rules one by one, including those after the deciding one. */
export function explainRules(rules: readonly Rule[], salt: string, subject: Subject): RuleExplanation[] {
  return rules.map((rule, index) => explainRule(rule, index, salt, subject));
}

function explainRule(rule: Rule, index: number, salt: string, subject: Subject): RuleExplanation {
  const conditions = rule.conditions.map((condition) => explainCondition(condition, subject));
  const failed = conditions.find(({ holds }) => !holds);
  const { percentage } = rule;
  const key = bucketKey(rule, salt, new Compilation());
  const found = key.rollout(subject);
  const bucket = found < 0 ? null : found;
  const inRollout = percentage >= 100 || (bucket !== null && bucket < bucketsCovered(percentage));
  const shares = rule.split && rule.split.length > 1 ? rule.split : null;
  const share = shares && bucket !== null ? shareFinder(shares)(key.share(subject)) : null;
  const applies = failed === undefined && inRollout && (shares === null || share !== null);
  return { index, conditions, percentage, bucket, inRollout, share, applies, because: reason() };

  function reason(): string {
    if (failed !== undefined) return `${failed.attribute} ${failed.because}`;
    if (applies) return 'all conditions hold and the rollout covers the bucket';
    if (bucket === null) return withoutBucket(rule.bucketBy || 'distinct_id', subject);
    return `bucket ${bucket} is outside ${percentage} %`;
  }
}

function withoutBucket(attribute: string, subject: Subject): string {
  if (attribute === 'distinct_id') return 'a rollout needs a distinct id';
  if (!hasValue(attribute, subject)) return `${attribute} is absent, so there is no bucket`;
  return `${attribute} has no bucket: only texts of 1 to 1,024 characters and whole numbers have one`;
}

function explainCondition(condition: Condition, subject: Subject): ConditionExplanation {
  const compiled = compileCondition(condition);
  const [holds, seen] = [compiled.holds(subject), compiled.see(subject).value ?? null];
  return { ...condition, holds, seen: shown(seen), because: holds ? null : because(compiled, condition, subject) };
}

function because({ find, see, fails }: CompiledCondition, condition: Condition, subject: Subject): string {
  const { operator, negate, values } = condition;
  const finding = find(subject);
  if (finding === 'yes') return `matches, but the condition is negated`;
  if (finding !== 'no') return operator == null && !negate ? fails : SAID[finding];
  if (operator === 'exists') return SAID.absent;
  return operator === 'in' ? `${fails}${otherwiseTyped(see(subject).value, values)}` : fails;
}

/** Explains values that differ only in type: `12345` given for an id, which is a text. */
function otherwiseTyped(seen: unknown, values: readonly Scalar[]): string {
  const entries: readonly unknown[] = seen instanceof Set || Array.isArray(seen) ? [...seen] : [seen];
  const scalars = new Map(entries.filter(isScalar).map((entry) => [String(entry), entry]));
  const value = values.find((each) => scalars.has(String(each)));
  const entry = scalars.get(String(value));
  if (value === undefined || entry === undefined) return '';
  const text = shown(String(value));
  return `: ${text} among them is a ${typeOf(value)}, but the attribute is a ${typeOf(entry)}, and types are never converted`;
}

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

function shown(seen: unknown): unknown {
  if (typeof seen === 'string') return seen.length > LONGEST_SEEN ? `${seen.slice(0, LONGEST_SEEN)}…` : seen;
  if (typeof seen !== 'object' || seen === null) return seen;
  const value = seen instanceof Set ? [...seen].sort() : seen;
  const text = JSON.stringify(value);
  return text.length > LONGEST_SEEN ? `${text.slice(0, LONGEST_SEEN)}…` : value;
}
