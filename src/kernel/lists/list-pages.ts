import { type FilterQuery, raw } from '@mikro-orm/postgresql';
import type { Context } from '../context.js';
import { commonFailure } from '../errors.js';
import { isUuid } from '../ids.js';
import {
  type BothWays,
  bothWaysPage,
  type CursorArgument,
  decodeCursor,
  encodeCursor,
  orderName,
  type Page,
  type Total,
  totalOf,
} from '../paging.js';
import { isIsoDate } from '../values/iso-date.js';
import { filterQuery, IdFilter, searchQuery, withStoredIds } from './field-filters.js';
import type { Direction, List, OwnerId, PropertyOf } from './list.js';
import type { ListArgs } from './list-args.js';
import { countRows, type Gate, type Order, readRows } from './list-statements.js';
import { type ListTable, listTable } from './list-table.js';
import type { NestedPage } from './read-along.js';

export interface Reading<T extends object> {
  /** Conditions in addition to the filter in the arguments. */
  where?: FilterQuery<T>;
  /**
   * Conditions that indexes can resolve, so that the few matching rows are sorted afterwards instead of scanning a
   * whole order for them; null for none. Empty when the list's owner is found that way.
   */
  found?: FilterQuery<T> | null;
  /** Whether to count the lists in the same statement; otherwise counting takes another statement on demand. */
  counts?: boolean;
  /** Nested lists to read in the same statement; see `keepNested`. */
  nested?: readonly NestedPage[];
  /** Properties to read besides key and order; all when absent or null. */
  properties?: readonly string[] | null;
  gate?: Gate | null;
}

/**
 * A page of each owner's list, read in one statement and returned in owner order; null for owners that the gate
 * excludes. Nodes have the properties of entities but are not entities: changes to them are not stored. Fails with
 * `invalid_cursor` for a cursor of another list or order.
 */
export async function readPages<T extends object>(
  ctx: Context,
  list: List<T>,
  owners: readonly OwnerId[],
  args: ListArgs,
  { where = {}, found = null, counts = false, nested = [], properties = null, gate = null }: Reading<T> = {},
): Promise<(Page<T> | null)[]> {
  const table = listTable(ctx, list.entity);
  const order = orderOf(table, list, args);
  const request = { list, table, owners, ...conditionsOf(table, list, args, where, found), nested, properties };
  const rows = await readRows<T>(ctx, request, order, counts, gate);
  const later = counted(list, () => countRows(ctx, request));
  return rows.map((own, index) => {
    if (!own) return null;
    const { nodes, count } = own;
    return pageIn(nodes, args, order, async () => (count === null ? later(index) : totalOf(count, list.mostCounted)));
  });
}

/** The order of a page, as named in its cursors, and where it begins. */
export function orderOf<T extends object>(table: ListTable, list: List<T>, args: ListArgs): Order<T> {
  const { field, direction } = args.orderBy ?? list.usualOrder;
  const properties = [...new Set([...(list.orders[field] ?? []), ...table.primaryKeys])] as PropertyOf<T>[];
  const isFromEnd = typeof args.last === 'number';
  const name = orderName(list, field, direction);
  const bounds = (['after', 'before'] as const).flatMap(
    (field) =>
      beyond<T>(table, properties, field === 'after' ? direction : opposite(direction), args, field, name) ?? [],
  );
  return {
    name,
    direction: isFromEnd ? opposite(direction) : direction,
    properties,
    size: args.last ?? args.first,
    bounds,
  };
}

const opposite = (direction: Direction): Direction => (direction === 'asc' ? 'desc' : 'asc');

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;

/** The condition for rows after an argument's cursor in this order; null without a cursor. */
function beyond<T extends object>(
  table: ListTable,
  properties: readonly string[],
  direction: Direction,
  args: ListArgs,
  field: CursorArgument,
  name: string,
): FilterQuery<T> | null {
  const decoded = decodeCursor(args, field, properties.length + 1);
  if (decoded === null) return null;
  const [order, ...values] = decoded;
  const columns = properties.flatMap((property) => table.columns.get(property) ?? []);
  if (order !== name || !columns.every(({ type }, index) => isOfType(type, values[index])))
    throw commonFailure('invalid_cursor', { field });
  const places = columns.map(({ type }) => `cast(? as ${type})`).join(', ');
  const names = columns.map(({ column }) => `r."${column}"`).join(', ');
  return { [raw(`(${names}) ${direction === 'asc' ? '>' : '<'} (${places})`, values)]: [] } as FilterQuery<T>;
}

/** Whether a column of this type can have the cursor's value. */
function isOfType(columnType: string | undefined, value: unknown): boolean {
  if (columnType?.startsWith('timestamptz')) return isInstant(value);
  if (columnType === 'uuid') return isUuid(value);
  if (columnType === 'date') return typeof value === 'string' && isIsoDate(value);
  if (columnType === 'text' || columnType?.startsWith('varchar')) return typeof value === 'string';
  if (columnType === 'bigint') return /^-?\d{1,18}$/.test(String(value));
  return Number.isSafeInteger(value) && Math.abs(value as number) < 2 ** 31;
}

/** Whether it is an instant as written by {@link cursorValue} or as read as text from rows. */
function isInstant(value: unknown): boolean {
  if (typeof value !== 'string' || !INSTANT.test(value)) return false;
  const at = new Date(value);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 19) === value.slice(0, 19);
}

function conditionsOf<T extends object>(
  table: ListTable,
  list: List<T>,
  args: ListArgs,
  where: FilterQuery<T>,
  found: FilterQuery<T> | null,
): { conditions: FilterQuery<T>[]; found: FilterQuery<T> | null } {
  const isPossible = (property: string, value: unknown) =>
    table.columns.get(property)?.type !== 'uuid' || isUuid(value);
  const { first = [], others = [] } = Object.groupBy(filtersByProperty(list, args.filter ?? {}), ([property, given]) =>
    given && list.found.includes(property) ? 'first' : 'others',
  );
  const query = ([property, given]: [string, unknown]) => {
    const stored = given && list.filters[property] === IdFilter ? withStoredIds(given) : given;
    return filterQuery<T>({ [property]: stored }, isPossible);
  };
  const search = args.search ? [searchQuery<T>(list.search, args.search)] : [];
  return {
    conditions: [where, ...others.map(query), ...search],
    found: first.length > 0 ? ({ $and: [...(found ? [found] : []), ...first.map(query)] } as FilterQuery<T>) : found,
  };
}

/** A filter by the names of properties, as GraphQL knows them or not. */
function filtersByProperty<T extends object>({ aliases }: List<T>, filter: object): [string, unknown][] {
  return Object.entries(filter).map(([name, given]) => [aliases[name] ?? name, given as unknown]);
}

/** The lengths of the owners' lists, by position; counted once, on first request. */
export function counted(
  { mostCounted }: { mostCounted: number },
  count: () => Promise<Map<number, number>>,
): (place: number) => Promise<Total> {
  let counts: Promise<Map<number, number>> | undefined;
  return async (place) => {
    counts ??= count();
    return totalOf((await counts).get(place) ?? 0, mostCounted);
  };
}

/** Makes a page from sorted rows, of which one more than requested was read. */
export function pageIn<T extends object>(
  rows: T[],
  args: BothWays,
  { name, properties }: Order<T>,
  total: () => Promise<Total>,
): Page<T> {
  const cursorOf = (row: T): string =>
    encodeCursor([name, ...properties.map((property) => cursorValue(row[property]))]);
  return bothWaysPage(rows, args, cursorOf, total);
}

const cursorValue = (value: unknown): string | number =>
  value instanceof Date ? value.toISOString() : (value as string | number);
