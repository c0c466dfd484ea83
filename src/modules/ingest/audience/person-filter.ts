import type { PropertyPredicate } from '../../../targeting/cohorts/property-predicate.js';
import type { Condition, Scalar } from '../../../targeting/condition.js';
import type { Rule } from '../../../targeting/rules/rule.js';
import type { CohortMembers } from '../cohorts/compiled-cohorts.js';

/** A SQL condition on a person `p`; its values start at `$4`. */
export interface PersonFilter {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export const EVERYONE: PersonFilter = { sql: 'true', values: [] };

const FIRST_VALUE = 4;
const PROPERTIES = 'props.';

/**
 * Lets through every person whom one of the rules may cover, so that few have to be checked if few are meant. Whatever SQL evaluates
 * differently, or can't evaluate, is left to the evaluator. A number stored with more digits than a double is compared with all of them,
 * and so may be left out.
 */
export function filterOf(rules: readonly Rule[], cohorts: ReadonlyMap<string, CohortMembers>): PersonFilter {
  const filter = new FilterText(cohorts);
  const sql = either(rules.map((rule) => filter.ofRule(rule)));
  return sql === null ? EVERYONE : { sql, values: filter.values };
}

/** SQL texts; null stands for no restriction. */
type Sql = string | null;

class FilterText {
  readonly values: unknown[] = [];

  constructor(private readonly cohorts: ReadonlyMap<string, CohortMembers>) {}

  ofRule({ conditions, percentage }: Rule): Sql {
    return percentage === 0 ? 'false' : both(conditions.map((condition) => this.ofCondition(condition)));
  }

  private ofCondition(condition: Condition): Sql {
    const { attribute, operator, values, negate } = condition;
    if (negate) return null;
    if (attribute === 'cohort' ? isEquality(condition) || operator === 'cohort' : operator === 'cohort')
      return either(values.map((name) => this.ofCohort(String(name))));
    if (attribute === 'distinct_id') return isEquality(condition) ? this.ofIds(values.map(String)) : null;
    const key = attribute === 'release' ? 'release' : keyOf(attribute);
    if (key === null) return null;
    if (operator == null) return either(values.map((value) => this.holds(plainShapes(key, String(value)))));
    if (operator === 'in') return either(values.map((value) => this.holds(shapesOf(key, value))));
    return this.ofText(key, operator, values);
  }

  private ofText(key: string, operator: NonNullable<Condition['operator']>, values: readonly Scalar[]): Sql {
    const compare = TEXT_COMPARISONS[operator];
    if (!compare) return null;
    const [whole, path] = [this.value(key), this.value(key.split('.'))];
    const seen = `coalesce(p.properties -> ${whole}::text, p.properties #> ${path}::text[])`;
    const text = `(${seen} #>> '{}')`;
    const found = values.map((value) => compare(text, `${this.value(value)}::text`));
    // The text of a list is not that of its entries.
    return `(jsonb_typeof(${seen}) = 'array' or ${found.join(' or ')})`;
  }

  private ofCohort(name: string): Sql {
    const cohort = this.cohorts.get(name);
    if (!cohort) return 'false';
    if (cohort.predicate) return this.ofPredicate(cohort.predicate);
    return either([this.ofIds([...cohort.ids]), ...cohort.rules.map((rule) => this.ofRule(rule))]);
  }

  private ofPredicate(predicate: PropertyPredicate): Sql {
    if ('all' in predicate) return both(predicate.all.map((part) => this.ofPredicate(part)));
    if ('any' in predicate) return either(predicate.any.map((part) => this.ofPredicate(part)));
    return this.holds(plainShapes(predicate.key, predicate.value));
  }

  private ofIds(ids: readonly string[]): Sql {
    return `p.id in (select person_id from person_id
      where project_id = $1 and environment = $2 and distinct_id = any(${this.value(ids)}::text[]))`;
  }

  private holds(shapes: readonly object[]): Sql {
    return `p.properties @> any(${this.value(shapes.map((shape) => JSON.stringify(shape)))}::jsonb[])`;
  }

  private value(value: unknown): string {
    this.values.push(value);
    return `$${FIRST_VALUE + this.values.length - 1}`;
  }
}

const TEXT_COMPARISONS: Readonly<Record<string, (text: string, value: string) => string>> = {
  contains: (text, value) => `strpos(${text}, ${value}) > 0`,
  starts_with: (text, value) => `starts_with(${text}, ${value})`,
  ends_with: (text, value) => `right(${text}, length(${value})) = ${value}`,
};

const isEquality = ({ operator }: Condition): boolean => operator == null || operator === 'in';

function keyOf(attribute: string): string | null {
  return attribute.startsWith(PROPERTIES) ? attribute.slice(PROPERTIES.length) : null;
}

/** What properties contain if a condition with `in` may match: the value or a list with it, under the key or along its path. */
function shapesOf(key: string, value: Scalar): object[] {
  const [first = '', ...members] = key.split('.');
  return [value, [value]].flatMap((seen) => [
    own(key, seen),
    ...(members.length > 0
      ? [
          own(
            first,
            members.reduceRight<unknown>((inside, member) => own(member, inside), seen),
          ),
        ]
      : []),
  ]);
}

/** What properties contain if a condition without an operator matches: the text, or what JSON writes like it. */
function plainShapes(key: string, value: string): object[] {
  const written: unknown = /^(true|false|-?\d.*)$/.test(value) ? parsed(value) : value;
  return [own(key, value), ...(written !== value ? [own(key, written)] : [])];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An object with one member, whatever its name. */
const own = (key: string, value: unknown): object => Object.fromEntries([[key, value]]);

function both(parts: readonly Sql[]): Sql {
  const known = parts.filter((part) => part !== null);
  return known.length > 0 ? `(${known.join(' and ')})` : null;
}

function either(parts: readonly Sql[]): Sql {
  if (parts.some((part) => part === null)) return null;
  return parts.length > 0 ? `(${parts.join(' or ')})` : 'false';
}
