import type { FilterQuery } from '@mikro-orm/postgresql';
import { IsOptional, MaxLength } from 'class-validator';
import { type ClassType, Field, ID, InputType, Int } from 'type-graphql';
import { containing } from '../database/like-pattern.js';
import { storedId } from '../ids.js';

const LONGEST_TEXT = 500;

@InputType({ description: 'Rows must match every given condition.' })
export class TextFilter {
  @Field(() => String, { nullable: true })
  eq?: string | null;

  @Field(() => [String], { nullable: true, description: 'One of these.' })
  in?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Contains this text, ignoring case.' })
  @IsOptional()
  @MaxLength(LONGEST_TEXT)
  contains?: string | null;
}

@InputType({
  description:
    'Compares whole texts, case-sensitively unless the field says otherwise. All given conditions must hold.',
})
export class ExactTextFilter {
  @Field(() => String, { nullable: true, description: 'This text.' })
  eq?: string | null;

  @Field(() => [String], { nullable: true, description: 'One of these.' })
  in?: string[] | null;
}

@InputType({ description: 'Rows must match every given condition.' })
export class IdFilter {
  @Field(() => ID, { nullable: true })
  eq?: string | null;

  @Field(() => [ID], { nullable: true, description: 'One of these.' })
  in?: string[] | null;
}

@InputType()
export class BooleanFilter {
  @Field(() => Boolean, { nullable: true })
  eq?: boolean | null;
}

@InputType({ description: 'Rows must match every given condition.' })
export class InstantFilter {
  @Field(() => Date, { nullable: true, description: 'At this instant or later.' })
  from?: Date | null;

  @Field(() => Date, { nullable: true, description: 'At this instant or earlier.' })
  to?: Date | null;
}

@InputType({ description: 'Rows must match every given condition.' })
export class IntFilter {
  @Field(() => Int, { nullable: true })
  eq?: number | null;

  @Field(() => Int, { nullable: true, description: 'This or more.' })
  from?: number | null;

  @Field(() => Int, { nullable: true, description: 'This or less.' })
  to?: number | null;
}

/**
 * The condition of a filter on one field: `eq`, `in`, `contains`, `from` and `to`, as far as the field supports them.
 */
export type FieldFilter = ClassType<object>;

/** A filter on an enum, named after it; create it once per enum. */
export function enumFilter(type: object, name: string): FieldFilter {
  @InputType(`${name}Filter`, { description: 'Rows must match every given condition.' })
  class EnumFilter {
    @Field(() => type, { nullable: true })
    eq?: string | null;

    @Field(() => [type], { nullable: true, description: 'One of these.' })
    in?: string[] | null;
  }
  return EnumFilter;
}

/** The ids that a filter names, as they are stored. */
export const withStoredIds = ({ eq, in: choices }: IdFilter): IdFilter => ({
  eq: typeof eq === 'string' ? storedId(eq) : eq,
  in: choices?.map(storedId),
});

interface Conditions {
  eq?: unknown;
  in?: unknown[] | null;
  contains?: string | null;
  from?: unknown;
  to?: unknown;
}

/**
 * Selects rows that satisfy the filters, given by property.
 * @param isPossible whether a property can have a value; impossible values match nothing
 */
export function filterQuery<T extends object>(
  filter: object,
  isPossible: (property: string, value: unknown) => boolean,
): FilterQuery<T> {
  const conditions = Object.entries(filter).flatMap(([property, given]: [string, Conditions | null | undefined]) => {
    const operators = given ? operatorsOf(given, (value) => isPossible(property, value)) : {};
    return Object.keys(operators).length > 0 ? [{ [property]: operators }] : [];
  });
  return { $and: conditions } as FilterQuery<T>;
}

/** Selects rows that contain the text in one of these properties. */
export function searchQuery<T extends object>(properties: readonly string[], text: string): FilterQuery<T> {
  return { $or: properties.map((property) => ({ [property]: { $ilike: containing(text) } })) } as FilterQuery<T>;
}

function operatorsOf(
  { eq, in: choices, contains, from, to }: Conditions,
  isPossible: (value: unknown) => boolean,
): object {
  if (eq != null && !isPossible(eq)) return { $in: [] };
  return {
    ...(eq == null ? {} : { $eq: eq }),
    ...(choices ? { $in: choices.filter(isPossible) } : {}),
    ...(contains ? { $ilike: containing(contains) } : {}),
    ...(from == null ? {} : { $gte: from }),
    ...(to == null ? {} : { $lte: to }),
  };
}

export function asksFor({ filter }: { filter?: object | null }, property: string): boolean {
  const given = (filter as Record<string, object | null> | null | undefined)?.[property];
  return Object.values(given ?? {}).some((operand) => operand != null);
}

/** The values allowed by both a filter and an argument; null for any. */
export function allowedBy<T extends string>(
  filter: { eq?: T | null; in?: T[] | null } | null | undefined,
  one: T | null | undefined,
): T[] | null {
  const given = [one == null ? null : [one], filter?.eq == null ? null : [filter.eq], filter?.in ?? null];
  return given.reduce(
    (some, others) => (some && others ? some.filter((value) => others.includes(value)) : (some ?? others)),
    null,
  );
}
