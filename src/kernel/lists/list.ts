import type { EntityClass } from '@mikro-orm/postgresql';
import type { FieldFilter } from './field-filters.js';

export type Direction = 'asc' | 'desc';

/** A property of an entity by its name. */
export type PropertyOf<T> = keyof T & string;

/** Names one owner of a list: its id, or the values of all properties that say whose list a row is in. */
export type OwnerId = string | readonly string[];

/**
 * What can be asked of the list of an entity's rows. Every order and every filter has an index behind it, or works on what
 * such an index has narrowed down already.
 */
export interface ListOptions<T extends object, Order extends string> {
  /** The name of its nodes' GraphQL type, where it is not the entity's. */
  name?: string;
  /** The property, or the properties together, that name whose list a row is in; none where a condition names the rows. */
  owner: PropertyOf<T> | readonly PropertyOf<T>[];
  /** Properties, never null, that rows are ordered by under a name; the primary key follows and makes the order total. */
  orders: Record<Order, readonly PropertyOf<T>[]>;
  usualOrder: { field: NoInfer<Order>; direction: Direction };
  filters?: Partial<Record<PropertyOf<T>, FieldFilter>>;
  /** Properties that stand behind the owner in the index of every order: rows of any value are read from there in that order, if there are some. */
  parts?: readonly PropertyOf<T>[];
  /** Properties of few values, each behind the owner in an index without an order: filters on them are what `Reading.found` is. */
  found?: readonly PropertyOf<T>[];
  /** The names under which GraphQL shows properties that filters go by, where it shows them under another. */
  aliases?: Readonly<Record<string, PropertyOf<T>>>;
  /** Properties in which a typed text is looked for. */
  search?: readonly PropertyOf<T>[];
  /** Rows that are counted one by one; a longer list answers this number, as an estimate. */
  mostCounted?: number;
}

/** How rows that name no owner belong to one. */
export interface Belonging {
  /** What an owner's id consists of, in PostgreSQL's types. */
  readonly types: readonly string[];
  /** SQL that holds for a row `r` of the owner whose id is `owner.id0`, `owner.id1` and so on. */
  readonly sql: string;
}

/** A list as the faces and the database see it: `name` is that of its nodes' GraphQL type. */
export interface List<T extends object> {
  readonly entity: EntityClass<T>;
  readonly name: string;
  readonly owner: string | readonly string[];
  /** Instead of the owner's properties, of which there are none then. */
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
