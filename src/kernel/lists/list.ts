import type { EntityClass } from '@mikro-orm/postgresql';
import type { FieldFilter } from './field-filters.js';

export type Direction = 'asc' | 'desc';

export type PropertyOf<T> = keyof T & string;

/** Identifies a list's owner: its id, or the values of all owner properties. */
export type OwnerId = string | readonly string[];

/**
 * The options of an entity's list. Every order and filter is backed by an index, or works on rows already narrowed down
 * by one.
 */
export interface ListOptions<T extends object, Order extends string> {
  /** The GraphQL type name of its nodes, if it differs from the entity's. */
  name?: string;
  /** The property or properties that identify a row's owner; none when a condition selects the rows. */
  owner: PropertyOf<T> | readonly PropertyOf<T>[];
  /** Non-null properties to order by, by name; the primary key follows and makes the order total. */
  orders: Record<Order, readonly PropertyOf<T>[]>;
  usualOrder: { field: NoInfer<Order>; direction: Direction };
  filters?: Partial<Record<PropertyOf<T>, FieldFilter>>;
  /**
   * Properties that follow the owner in the index of every order, so that rows with any of their values can be read in
   * that order.
   */
  parts?: readonly PropertyOf<T>[];
  /**
   * Properties with few values, each following the owner in an unordered index; filters on them become `Reading.found`.
   */
  found?: readonly PropertyOf<T>[];
  /** GraphQL names of filter properties, where they differ. */
  aliases?: Readonly<Record<string, PropertyOf<T>>>;
  /** Properties that text search looks in. */
  search?: readonly PropertyOf<T>[];
  /** Maximum number of rows to count; a longer list returns this number as an estimate. */
  mostCounted?: number;
}

/** How rows without an owner column belong to an owner. */
export interface Belonging {
  /** The parts of an owner's id, as PostgreSQL types. */
  readonly types: readonly string[];
  /** SQL that is true for a row `r` of the owner with the id `owner.id0`, `owner.id1` and so on. */
  readonly sql: string;
}

/** A list for the faces and the database; `name` is the GraphQL type name of its nodes. */
export interface List<T extends object> {
  readonly entity: EntityClass<T>;
  readonly name: string;
  readonly owner: string | readonly string[];
  /** Replaces the owner properties, which are then empty. */
  readonly belonging?: Belonging;
  readonly orders: Readonly<Record<string, readonly string[]>>;
  readonly usualOrder: { field: string; direction: Direction };
  readonly filters: Readonly<Record<string, FieldFilter>>;
  readonly parts: readonly string[];
  readonly found: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly search: readonly string[];
  readonly mostCounted: number;
}

const MOST_COUNTED = 1_000_000;

export function listOf<T extends object, Order extends string>(
  entity: EntityClass<T>,
  {
    filters,
    parts = [],
    found = [],
    aliases = {},
    search = [],
    mostCounted = MOST_COUNTED,
    ...options
  }: ListOptions<T, Order>,
): List<T> {
  return {
    entity,
    name: entity.name,
    filters: { ...(filters as Record<string, FieldFilter>) },
    parts,
    found,
    aliases,
    search,
    mostCounted,
    ...options,
  };
}
