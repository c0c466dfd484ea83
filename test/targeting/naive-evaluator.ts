import { createHash } from 'node:crypto';
import type { Condition } from '../../src/targeting/condition.js';
import type { Share } from '../../src/targeting/rules/allocation.js';
import type { Rule } from '../../src/targeting/rules/rule.js';
import type { SubjectFacts } from '../../src/targeting/subject.js';

/**
 * A second implementation of the rule grammar, word for word from docs/targeting.md, without preparation or sharing, as the referee
 * for the evaluator. Here versions are whole ones, ranges have a single comparator, and patterns use the platform's engine.
 */
export function naiveOutcome(rules: readonly Rule[], salt: string, facts: SubjectFacts): number {
  let outcome = 1;
  for (const rule of rules) {
    const shares = rule.split?.length ?? 1;
    if (rule.conditions.every((condition) => naiveHolds(condition, facts))) {
      const seed = rule.salt || salt;
      const id = bucketId(rule.bucketBy || 'distinct_id', facts);
      const inside = rule.percentage === 100 || (id !== null && bucket(seed, id) < rule.percentage * 1000);
      if (inside && shares === 1) return outcome;
      if (inside && id !== null) {
        const place = bucket(`${seed}:split`, id);
        return outcome + (rule.split as Share[]).findIndex((share) => has(share, place));
      }
    }
    outcome += shares;
  }
  return 0;
}

/** Whether one condition holds. */
export function naiveHolds({ attribute, operator, values, negate }: Condition, facts: SubjectFacts): boolean {
  const seen = factOf(attribute, facts, operator == null);
  const there = seen !== undefined && seen !== null;
  if (operator === 'exists') return there !== (negate ?? false);
  if (!there) return false;
  const found = operator == null ? plain(attribute, seen, values) : compared(attribute, operator, seen, values, facts);
  return found === null ? false : found !== (negate ?? false);
}

function plain(attribute: string, seen: unknown, values: Condition['values']): boolean | null {
  if (attribute === 'app_version') return compared(attribute, 'semver', seen, values, {});
  if (!attribute.startsWith('props.')) return compared(attribute, 'in', seen, values, {});
  if (typeof seen === 'object') return null;
  return values.includes(typeof seen === 'string' ? seen : JSON.stringify(seen));
}

function compared(
  attribute: string,
  operator: NonNullable<Condition['operator']>,
  seen: unknown,
  values: Condition['values'],
  facts: SubjectFacts,
): boolean | null {
  if (operator === 'cohort') return values.some((value) => [...(facts.cohorts ?? [])].includes(value as string));
  if (isTooLong(seen, operator)) return null;
  if (Array.isArray(seen)) {
    return seen.some((entry) => entry !== null && compared(attribute, operator, entry, values, facts));
  }
  if (typeof seen === 'object') return null;
  const folded = values.map((value) => fold(attribute, value));
  if (operator === 'in') return folded.some((value) => value === seen);
  if (['lt', 'lte', 'gt', 'gte'].includes(operator))
    return typeof seen === 'number' ? ordered(operator, seen, folded[0] as number) : null;
  if (typeof seen !== 'string') return null;
  const wanted = folded as string[];
  if (operator === 'contains') return wanted.some((value) => seen.split(value).length > 1);
  if (operator === 'starts_with') return wanted.some((value) => seen.slice(0, value.length) === value);
  if (operator === 'ends_with')
    return wanted.some((value) => seen.length >= value.length && seen.slice(seen.length - value.length) === value);
  if (operator === 'matches') return wanted.some((value) => new RegExp(value, 'u').test(seen));
  if (operator === 'semver') return wanted.some((value) => inRange(seen, value));
  const [instant, now] = [Date.parse(seen), facts.now ?? 0];
  if (!/^\d{4}-\d\d-\d\d/.test(seen) || Number.isNaN(instant)) return false;
  const relative = /^-(\d+)d$/.exec(wanted[0] as string);
  const bound = relative ? now - Number(relative[1]) * 86_400_000 : Date.parse(wanted[0] as string);
  return operator === 'before' ? instant < bound : instant > bound;
}

function isTooLong(seen: unknown, operator: Condition['operator']): boolean {
  if (typeof seen === 'string') return seen.length > 1_024;
  if (!Array.isArray(seen)) return false;
  const characters = seen.reduce((sum, entry) => sum + (typeof entry === 'string' ? entry.length : 0), 0);
  return seen.length > 1_000 || (operator !== 'in' && (seen.length > 32 || characters > 1_024));
}

function factOf(attribute: string, facts: SubjectFacts, whole: boolean): unknown {
  if (attribute === 'cohort') return [...(facts.cohorts ?? [])];
  if (attribute === 'now') return new Date(facts.now ?? 0).toISOString();
  const named: Record<string, string | null | undefined> = {
    distinct_id: facts.distinctId,
    platform: facts.platform?.toLowerCase(),
    app_version: facts.appVersion,
    os_version: facts.osVersion,
    locale: facts.locale?.toLowerCase().split('_').join('-'),
  };
  if (attribute in named) return named[attribute] === '' ? null : named[attribute];
  const context = Object.fromEntries((facts.context as Map<string, unknown>) ?? []);
  const merged = { ...Object.fromEntries((facts.properties as Map<string, unknown>) ?? []), ...context };
  if (attribute === 'country') return typeof merged.country === 'string' ? merged.country.toLowerCase() : null;
  if (attribute === 'release') return merged.release;
  const [scope, ...path] = attribute.split('.');
  const root: unknown = scope === 'props' ? merged : context;
  const key = path.join('.');
  if (Object.hasOwn(root as object, key)) return (root as Record<string, unknown>)[key];
  if (whole) return undefined;
  return path.reduce<unknown>((at, member) => {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return undefined;
    return Object.entries(at).find(([name]) => name === member)?.[1];
  }, root);
}

function fold(attribute: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (attribute === 'locale') return value.toLowerCase().split('_').join('-');
  return attribute === 'platform' || attribute === 'country' ? value.toLowerCase() : value;
}

function ordered(operator: string, seen: number, value: number): boolean {
  if (operator === 'lt') return seen < value;
  if (operator === 'lte') return seen <= value;
  return operator === 'gt' ? seen > value : seen >= value;
}

function inRange(seen: string, range: string): boolean {
  const [, sign = '', text = ''] = /^([<>]=?|=)(.*)$/.exec(range) ?? [];
  if (!/^\d+(\.\d+){0,2}$/.test(seen)) return false;
  const difference = numbered(seen) - numbered(text);
  if (sign === '=') return difference === 0;
  return sign.startsWith('<')
    ? difference < 0 || (sign === '<=' && difference === 0)
    : difference > 0 || (sign === '>=' && difference === 0);
}

function numbered(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return (major * 1_000 + minor) * 1_000 + patch;
}

function bucketId(attribute: string, facts: SubjectFacts): string | null {
  const value = factOf(attribute, facts, false);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return `${value}`;
  return typeof value === 'string' && value !== '' && value.length <= 1_024 ? value : null;
}

function bucket(seed: string, id: string): number {
  const digest = createHash('sha256').update(`${seed}:${id}`).digest();
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * 100_000);
}

function has({ buckets }: Share, place: number): boolean {
  return (buckets ?? []).some(([from, to]) => place >= from && place < to);
}
