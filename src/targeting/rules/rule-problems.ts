import { attributeKindOf } from '../attributes.js';
import type { Condition, Scalar } from '../condition.js';
import { operators } from '../operators/operators.js';
import { hasPlainMeaning, withOperator } from '../plain-condition.js';
import { isBucketAttribute } from './bucket-key.js';
import type { Rule } from './rule.js';

/** A problem with the input: its path and a message. */
export interface Problem {
  readonly path: string;
  readonly problem: string;
}

/**
 * Limits of a list of rules that keep decisions cheap: list entries, texts in UTF-16 units, and the total cost of all
 * conditions according to their operators.
 */
export const RULE_LIMITS = {
  rules: 100,
  conditions: 20,
  values: 10_000,
  textLength: 400,
  shares: 100,
  weight: 1_000_000,
  work: 5_000,
};

const STEPS = 1000;

/** All problems of a list of rules, in order; oversized parts are not examined. */
export function ruleProblems(rules: readonly Rule[]): Problem[] {
  if (rules.length > RULE_LIMITS.rules) return [tooMany('rules', RULE_LIMITS.rules)];
  const problems = rules.flatMap((rule, index) => problemsOfRule(rule, `rules[${index}]`));
  if (problems.length > 0) return problems;
  const work = rules.flatMap(({ conditions }) => conditions).reduce((sum, condition) => sum + workOf(condition), 0);
  if (work <= RULE_LIMITS.work) return [];
  const problem = `cost too much to evaluate: ${work} of ${RULE_LIMITS.work} units; use fewer patterns, searched texts and ranges, or use in with a list`;
  return [{ path: 'rules', problem }];
}

function problemsOfRule(rule: Rule, path: string): Problem[] {
  const { conditions, percentage, salt, bucketBy } = rule;
  const problems: Problem[] = [];
  if (!isPercentage(percentage))
    problems.push({ path: `${path}.percentage`, problem: `must be 0 to 100 in steps of ${1 / STEPS}` });
  if (salt != null && !hasLength(salt)) problems.push(badLength(`${path}.salt`));
  if (bucketBy != null && !(hasLength(bucketBy) && isBucketAttribute(bucketBy)))
    problems.push({ path: `${path}.bucketBy`, problem: 'must be distinct_id, props.<key> or context.<key>' });
  if (rule.split != null) problems.push(...splitProblems(rule.split, `${path}.split`));
  if (conditions.length > RULE_LIMITS.conditions)
    return [...problems, tooMany(`${path}.conditions`, RULE_LIMITS.conditions)];
  return [...problems, ...conditions.flatMap((each, at) => conditionProblems(each, `${path}.conditions[${at}]`))];
}

function splitProblems(split: NonNullable<Rule['split']>, path: string): Problem[] {
  if (split.length === 0) return [{ path, problem: 'must not be empty' }];
  if (split.length > RULE_LIMITS.shares) return [tooMany(path, RULE_LIMITS.shares)];
  const problems: Problem[] = [];
  for (const [at, { value, weight }] of split.entries()) {
    if (!(weight >= 0 && weight <= RULE_LIMITS.weight))
      problems.push({ path: `${path}[${at}].weight`, problem: `must be a number from 0 to ${RULE_LIMITS.weight}` });
    if (split.findIndex((other) => other.value === value) < at)
      problems.push({ path: `${path}[${at}]`, problem: 'must differ from the other shares' });
  }
  if (split.every(({ weight }) => weight === 0)) problems.push({ path, problem: 'must have a weight above 0' });
  return problems;
}

function conditionProblems(condition: Condition, path: string): Problem[] {
  const { attribute, values } = condition;
  const kind = hasLength(attribute) ? attributeKindOf(attribute) : null;
  const operator = condition.operator ?? withOperator(condition)?.operator;
  if (kind === null) {
    const problem =
      'must be distinct_id, cohort, platform, app_version, os_version, locale, country, release, now, props.<key> or context.<key>';
    return [{ path: `${path}.attribute`, problem }];
  }
  if (condition.operator == null && !hasPlainMeaning(attribute))
    return [{ path: `${path}.operator`, problem: `must be one of ${kind.operators.join(', ')}` }];
  if (condition.operator != null && !kind.operators.includes(condition.operator))
    return [{ path: `${path}.operator`, problem: `must be one of ${kind.operators.join(', ')} for ${kind.name}` }];
  const row = operator == null ? operators.in : operators[operator];
  const most = condition.operator == null ? RULE_LIMITS.values : row.most;
  if (values.length > most) return [tooMany(`${path}.values`, most)];
  if (values.length < row.fewest) return [{ path: `${path}.values`, problem: 'must not be empty' }];
  const plain = condition.operator == null;
  return values.flatMap((value, index) => {
    const problem = valueProblem(value) ?? (plain ? plainProblem(value, operator) : row.problem(value));
    return problem === null ? [] : [{ path: `${path}.values[${index}]`, problem }];
  });
}

/** Without an operator every value is a text; only a property can be compared with an empty one. */
function plainProblem(value: Scalar, operator: Condition['operator']): string | null {
  if (typeof value !== 'string') return 'must be a text; add an operator to compare with numbers and booleans';
  if (operator == null) return null;
  return value === '' ? 'must not be empty' : operators[operator].problem(value);
}

function valueProblem(value: Scalar): string | null {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return 'must be a text, a number, true or false';
  return typeof value === 'string' && value.length > RULE_LIMITS.textLength ? badLength('').problem : null;
}

/** The total size of lists without an operator was never limited. */
function workOf({ operator, values }: Condition): number {
  return operator == null ? 0 : operators[operator].work(values);
}

function isPercentage(percentage: number): boolean {
  const scaled = percentage * STEPS;
  return percentage >= 0 && percentage <= 100 && Math.abs(scaled - Math.round(scaled)) < 1e-6;
}

const hasLength = (text: string): boolean => text.length > 0 && text.length <= RULE_LIMITS.textLength;

function tooMany(path: string, limit: number): Problem {
  return { path, problem: `must not have more than ${limit} entries` };
}

function badLength(path: string): Problem {
  return { path, problem: `must have 1 to ${RULE_LIMITS.textLength} characters` };
}
