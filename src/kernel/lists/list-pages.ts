import { type EntityManager, type FilterQuery, raw } from '@mikro-orm/postgresql';
import { commonFailure } from '../errors.js';
import { isUuid } from '../ids.js';
import { bothWaysPage, decodeCursor, encodeCursor, type Page, type Total, totalOf } from '../paging.js';
import { isIsoDate } from '../values/iso-date.js';
import { filterQuery, searchQuery } from './field-filters.js';
import type { Direction, List, OwnerId, PropertyOf } from './list.js';
import type { ListArgs } from './list-args.js';

/**
 * A page of the list of each owner, in one statement for all of them, in the order of the owners.
 *
 * @param where what rows must satisfy besides the filter of the arguments
 * @param counts whether the lists are counted in the same statement; otherwise that takes one more, when somebody asks for it
 * Fails with `invalid_cursor` for a cursor of another list or order.
 */
export async function readPages<T extends object>(
  em: EntityManager,
  list: List<T>,
  owners: readonly OwnerId[],
  args: ListArgs,
  where: FilterQuery<T> = {},
  counts = false,
): Promise<Page<T>[]> {
  const order = orderOf(em, list, args);
  const conditions = conditionsOf(em, list, args, where);
  const rows = rowsQuery(em, list, order, [...conditions, ...order.bounds]);
  const count = counts ? countQuery(em, list, conditions) : null;
  const found = await perOwner(em, list, owners, rows, count);
  const later = counted(() => countRows(em, list, owners, conditions));
  return owners.map((_, index) => {
    const own = found.get(index) ?? [];
    const nodes = own.filter(({ list_row }) => list_row).map((row) => em.map(list.entity, row as never) as T);
    const total = async () => (count ? Number(own[0]?.list_count ?? 0) : later(index));
    return pageIn(nodes, args, order, async () => totalOf(await total(), list.mostCounted));
  });
}

/** The order of a page, and where it begins. */
interface Order<T> {
  name: string;
  /** Of the rows as they are read, which for a page from the end is backwards. */
  direction: Direction;
  properties: readonly PropertyOf<T>[];
  size: number;
  bounds: FilterQuery<T>[];
}

function orderOf<T extends object>(em: EntityManager, list: List<T>, args: ListArgs): Order<T> {
  const { field, direction } = args.orderBy ?? list.usualOrder;
  const { primaryKeys } = em.getMetadata().get(list.entity);
  const properties = [...new Set([...(list.orders[field] ?? []), ...primaryKeys])] as PropertyOf<T>[];
  const isFromEnd = typeof args.last === 'number';
  const name = `${field} ${direction}`;
  const bounds: FilterQuery<T>[] = [];
  if (typeof args.after === 'string') bounds.push(beyond(em, list, properties, direction, args.after, name));
  if (typeof args.before === 'string')
    bounds.push(beyond(em, list, properties, opposite(direction), args.before, name));
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
  em: EntityManager,
  list: List<T>,
  properties: readonly string[],
  direction: Direction,
  cursor: string,
  name: string,
): FilterQuery<T> {
  const [order, ...values] = decodeCursor(cursor, properties.length + 1);
  const meta = em.getMetadata().get(list.entity);
  const columns = properties.map((property) => meta.properties[property as never] as Column);
  if (order !== name || !columns.every(({ columnTypes }, index) => isOfType(columnTypes[0], values[index])))
    throw commonFailure('invalid_cursor');
  const places = columns.map(({ columnTypes }) => `cast(? as ${columnTypes[0]})`).join(', ');
  const names = columns.map(({ fieldNames }) => `${ALIAS}."${fieldNames[0]}"`).join(', ');
  return { [raw(`(${names}) ${direction === 'asc' ? '>' : '<'} (${places})`, values)]: [] } as FilterQuery<T>;
}

interface Column {
  fieldNames: string[];
  columnTypes: string[];
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

const ALIAS = 'r';

/** How long an owner's list is, for a page that was read in another way. */
export async function countList<T extends object>(
  em: EntityManager,
  list: List<T>,
  owner: string,
  args: ListArgs,
  where: FilterQuery<T>,
): Promise<Total> {
  const counts = await countRows(em, list, [owner], conditionsOf(em, list, args, where));
  return totalOf(counts.get(0) ?? 0, list.mostCounted);
}

function conditionsOf<T extends object>(
  em: EntityManager,
  list: List<T>,
  args: ListArgs,
  where: FilterQuery<T>,
): FilterQuery<T>[] {
  const { properties } = em.getMetadata().get(list.entity);
  const isPossible = (property: string, value: unknown) =>
    (properties[property as never] as Column).columnTypes[0] !== 'uuid' || isUuid(value);
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

/** A query of one owner's rows; `owner` is the owner of the statement around it. */
interface OwnerQuery {
  getQuery(): string;
  getParams(): readonly unknown[];
}

function rowsQuery<T extends object>(
  em: EntityManager,
  list: List<T>,
  { properties, direction, size }: Order<T>,
  conditions: FilterQuery<T>[],
): OwnerQuery {
  return em
    .createQueryBuilder(list.entity, ALIAS)
    .select('*')
    .where(ofOwner(list, conditions) as never)
    .orderBy(properties.map((property) => ({ [property]: direction })) as never)
    .limit(size + 1);
}

function countQuery<T extends object>(em: EntityManager, list: List<T>, conditions: FilterQuery<T>[]): OwnerQuery {
  return em
    .createQueryBuilder(list.entity, ALIAS)
    .select(raw('1 as one'))
    .where(ofOwner(list, conditions) as never)
    .limit(list.mostCounted + 1);
}

function ofOwner<T extends object>(list: List<T>, conditions: FilterQuery<T>[]): FilterQuery<T> {
  const own = ownersOf(list).map((property, index) => ({ [property]: raw(`owner.id${index}`) }));
  return { $and: [...own, ...conditions] } as FilterQuery<T>;
}

/** A row of an owner's list with the length of the list, if that was counted; without a row where the list has none. */
interface OwnerRow {
  /** The place of its owner among those that were asked for, from 1. */
  list_owner: string;
  list_row: boolean;
  list_count?: string;
}

/** Runs a query of one owner's rows, and one that counts them, for all owners at once; answers by the place of the owner. */
async function perOwner<T extends object>(
  em: EntityManager,
  list: List<T>,
  owners: readonly OwnerId[],
  rows: OwnerQuery,
  count: OwnerQuery | null,
): Promise<Map<number, OwnerRow[]>> {
  const counting = count
    ? {
        column: 'counted.n as list_count,',
        join: `cross join lateral (select count(*) as n from (${count.getQuery()}) c) counted`,
      }
    : { column: '', join: '' };
  const all = ownersTable(em, list, owners);
  const found = await em.execute<OwnerRow[]>(
    `select owner.place as list_owner, r.list_row is not null as list_row, ${counting.column} r.*
       from ${all.sql} ${counting.join}
       left join lateral (select true as list_row, found.* from (${rows.getQuery()}) found) r on true`,
    [...all.params, ...(count?.getParams() ?? []), ...rows.getParams()],
  );
  return Map.groupBy(found, ({ list_owner }) => Number(list_owner) - 1);
}

async function countRows<T extends object>(
  em: EntityManager,
  list: List<T>,
  owners: readonly OwnerId[],
  conditions: FilterQuery<T>[],
): Promise<Map<number, number>> {
  const query = countQuery(em, list, conditions);
  const all = ownersTable(em, list, owners);
  const rows = await em.execute<{ list_owner: string; count: string }[]>(
    `select owner.place as list_owner, count(*) from ${all.sql}
      cross join lateral (${query.getQuery()}) r group by owner.place`,
    [...all.params, ...query.getParams()],
  );
  return new Map(rows.map(({ list_owner, count }) => [Number(list_owner) - 1, Number(count)]));
}

/** All owners as the table `owner`, each with its place among them, from 1. */
function ownersTable<T extends object>(
  em: EntityManager,
  list: List<T>,
  owners: readonly OwnerId[],
): { sql: string; params: unknown[] } {
  const { properties } = em.getMetadata().get(list.entity);
  const own = ownersOf(list);
  if (own.length === 0) return { sql: '(values (1)) as owner(place)', params: [] };
  const arrays = own.map((property) => `array[?]::${(properties[property as never] as Column).columnTypes[0]}[]`);
  const names = own.map((_, index) => `id${index}`);
  return {
    sql: `unnest(${arrays.join(', ')}) with ordinality as owner(${names.join(', ')}, place)`,
    params: own.map((_, index) => owners.map((owner) => [owner].flat()[index])),
  };
}

const ownersOf = <T extends object>({ owner }: List<T>): readonly string[] => [owner].flat();

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
