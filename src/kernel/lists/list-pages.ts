import { type FilterQuery, raw } from '@mikro-orm/postgresql';
import type { Context } from '../context.js';
import { commonFailure } from '../errors.js';
import { isUuid } from '../ids.js';
import { bothWaysPage, decodeCursor, encodeCursor, type Page, type Total, totalOf } from '../paging.js';
import { isIsoDate } from '../values/iso-date.js';
import { filterQuery, searchQuery } from './field-filters.js';
import type { Direction, List, OwnerId, PropertyOf } from './list.js';
import type { ListArgs } from './list-args.js';
import { countRows, type Order, readRows } from './list-statements.js';
import { type ListTable, listTable } from './list-table.js';

/**
 * A page of the list of each owner, in one statement for all of them, in the order of the owners. Nodes are what entities hold, but no
 * entities: nothing that is changed on them is stored.
 *
 * @param where what rows must satisfy besides the filter of the arguments
 * @param counts whether the lists are counted in the same statement; otherwise that takes one more, when somebody asks for it
 * Fails with `invalid_cursor` for a cursor of another list or order.
 */
export async function readPages<T extends object>(
  ctx: Context,
  list: List<T>,
  owners: readonly OwnerId[],
  args: ListArgs,
  where: FilterQuery<T> = {},
  counts = false,
): Promise<Page<T>[]> {
  const table = listTable(ctx, list.entity);
  const order = orderOf(table, list, args);
  const conditions = conditionsOf(table, list, args, where);
  const asked = { list, table, owners, conditions };
  const found = await readRows<T>(ctx, asked, order, counts);
  const later = counted(() => countRows(ctx, asked));
  return found.map(({ nodes, count }, index) => {
    const total = async () => count ?? later(index);
    return pageIn(nodes, args, order, async () => totalOf(await total(), list.mostCounted));
  });
}

function orderOf<T extends object>(table: ListTable, list: List<T>, args: ListArgs): Order<T> {
  const { field, direction } = args.orderBy ?? list.usualOrder;
  const properties = [...new Set([...(list.orders[field] ?? []), ...table.primaryKeys])] as PropertyOf<T>[];
  const isFromEnd = typeof args.last === 'number';
  const name = `${field} ${direction}`;
  const bounds: FilterQuery<T>[] = [];
  if (typeof args.after === 'string') bounds.push(beyond<T>(table, properties, direction, args.after, name));
  if (typeof args.before === 'string')
    bounds.push(beyond<T>(table, properties, opposite(direction), args.before, name));
  return {
    name,
    direction: isFromEnd ? opposite(direction) : direction,
    properties,
    size: args.last ?? args.first,
    bounds,
  };
}

const opposite = (direction: Direction): Direction => (direction === 'asc' ? 'desc' : 'asc');

/** Rows that stand behind a cursor in this order. */
function beyond<T extends object>(
  table: ListTable,
  properties: readonly string[],
  direction: Direction,
  cursor: string,
  name: string,
): FilterQuery<T> {
  const [order, ...values] = decodeCursor(cursor, properties.length + 1);
  const columns = properties.flatMap((property) => table.columns.get(property) ?? []);
  if (order !== name || !columns.every(({ type }, index) => isOfType(type, values[index])))
    throw commonFailure('invalid_cursor');
  const places = columns.map(({ type }) => `cast(? as ${type})`).join(', ');
  const names = columns.map(({ column }) => `r."${column}"`).join(', ');
  return { [raw(`(${names}) ${direction === 'asc' ? '>' : '<'} (${places})`, values)]: [] } as FilterQuery<T>;
}

/** Whether a cursor's value is one that a column of this type can have. */
function isOfType(columnType: string | undefined, value: unknown): boolean {
  if (columnType?.startsWith('timestamptz')) return typeof value === 'string' && !Number.isNaN(Date.parse(value));
  if (columnType === 'uuid') return isUuid(value);
  if (columnType === 'date') return typeof value === 'string' && isIsoDate(value);
  if (columnType === 'text' || columnType?.startsWith('varchar')) return typeof value === 'string';
  if (columnType === 'bigint') return /^-?\d{1,18}$/.test(String(value));
  return Number.isSafeInteger(value);
}

/** How long an owner's list is, for a page that was read in another way. */
export async function countList<T extends object>(
  ctx: Context,
  list: List<T>,
  owner: string,
  args: ListArgs,
  where: FilterQuery<T>,
): Promise<Total> {
  const table = listTable(ctx, list.entity);
  const conditions = conditionsOf(table, list, args, where);
  const counts = await countRows(ctx, { list, table, owners: [owner], conditions });
  return totalOf(counts.get(0) ?? 0, list.mostCounted);
}

function conditionsOf<T extends object>(
  table: ListTable,
  list: List<T>,
  args: ListArgs,
  where: FilterQuery<T>,
): FilterQuery<T>[] {
  const isPossible = (property: string, value: unknown) =>
    table.columns.get(property)?.type !== 'uuid' || isUuid(value);
  return [
    where,
    ...filtersByProperty(list, args.filter ?? {}).map((filter) => filterQuery<T>(filter, isPossible)),
    ...(args.search ? [searchQuery<T>(list.search, args.search)] : []),
  ];
}

/** A filter by the names of properties, as GraphQL knows them or not; what is given under both names must hold under both. */
function filtersByProperty<T extends object>({ aliases }: List<T>, filter: object): object[] {
  return Object.entries(filter).map(([name, given]) => ({ [aliases[name] ?? name]: given as unknown }));
}

/** Counts once, when the first page asks for it. */
function counted(count: () => Promise<Map<number, number>>): (place: number) => Promise<number> {
  let counts: Promise<Map<number, number>> | undefined;
  return async (place) => {
    counts ??= count();
    return (await counts).get(place) ?? 0;
  };
}

function pageIn<T extends object>(
  rows: T[],
  args: ListArgs,
  { name, properties }: Order<T>,
  total: () => Promise<Total>,
): Page<T> {
  const cursorOf = (row: T): string =>
    encodeCursor([name, ...properties.map((property) => cursorValue(row[property]))]);
  return bothWaysPage(rows, args, cursorOf, total);
}

const cursorValue = (value: unknown): string | number =>
  value instanceof Date ? value.toISOString() : (value as string | number);
