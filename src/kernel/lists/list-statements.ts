import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context, Statement } from '../context.js';
import { conditionSql, WrittenSql } from './condition-sql.js';
import type { Direction, List, OwnerId, PropertyOf } from './list.js';
import { AS_IN_ENTITIES, type ListTable, listTable } from './list-table.js';
import type { NestedPage } from './read-along.js';

export interface RowsRequest<T extends object> {
  list: List<T>;
  table: ListTable;
  owners: readonly OwnerId[];
  conditions: readonly FilterQuery<T>[];
  /** Applied before the order; see `Reading`. */
  found: FilterQuery<T> | null;
  nested: readonly NestedPage[];
  /** Properties to read besides key and order; null for all. */
  properties: readonly string[] | null;
}

/** A join through which lists are read: owners without a row in the joined tables have no list. */
export interface Gate {
  columns: string;
  /** Joins tables to `owner`, whose first id is `id0`. */
  join(sql: WrittenSql): string;
  /** Receives the owner's columns, from its first row. */
  admit(row: object): void;
}

/** The order of a page, and where it begins. */
export interface Order<T> {
  name: string;
  /** The order in which rows are read, which is reversed for a page from the end. */
  direction: Direction;
  properties: readonly PropertyOf<T>[];
  size: number;
  bounds: FilterQuery<T>[];
}

/** The rows of one owner, one more than fits the page, and their count if requested. */
export interface OwnRows<T> {
  nodes: T[];
  count: number | null;
}

/** The extra columns of a row; an owner without rows gets one row with only these. */
interface FoundRow {
  /** 1-based position of its owner in the request. */
  listOwner: string;
  listRow: true | null;
  listCount?: string;
}

/** Reads, and optionally counts, the rows of all owners in one statement; returns them by owner position. */
export async function readRows<T extends object>(
  ctx: Context,
  request: RowsRequest<T>,
  order: Order<T>,
  counts: boolean,
  gate: Gate | null,
): Promise<(OwnRows<T> | null)[]> {
  const { table, conditions, nested, properties } = request;
  const sql = new WrittenSql(request.list.parts);
  const all = [ownersTable(request, sql), ...(gate ? [gate.join(sql)] : [])].join(' ');
  const count = counts
    ? { column: ', counted.n as "listCount"', join: `cross join lateral (${countOf(request, sql)}) counted` }
    : { column: '', join: '' };
  const by = order.properties.map((property) => `r."${table.columns.get(property)?.column}" ${order.direction}`);
  const firstOf = (rows: number) => `order by ${by.join(', ')} limit ${rows}`;
  const source = request.found
    ? foundSql(request, request.found, order, firstOf, sql)
    : `"${table.table}" r where ${whereSql(request, [...conditions, ...order.bounds], sql)}`;
  const rows = `select true as "listRow", ${selectedOf(table, order.properties, properties)} from ${source} ${firstOf(order.size + 1)}`;
  const along = nested.map((page, place) => nestedSql(ctx, page, place, sql));
  const columns = [gate?.columns, 'node.*', ...nested.map((_, place) => `${nestedColumn(place)}.*`)];
  const text = `select owner.place as "listOwner"${count.column}, ${columns.filter(Boolean).join(', ')} from ${all} ${count.join}
    left join lateral (${rows}) node on true ${along.join(' ')}`;
  const found = await ctx.rows<FoundRow>(statementOf(text, sql), sql.values);
  return owned(ctx, request, found, gate);
}

/** How many rows of the order to scan for a page before sorting everything that indexes find. */
const MOST_WALKED = 1_000;

/**
 * The table `r` of rows found by indexes. If there are many, a page of them is near the beginning of the order;
 * otherwise all are read and sorted. Only one of the two is executed fully: the condition between them is constant for
 * all rows, and PostgreSQL checks it first (EXPLAIN: One-Time Filter).
 */
function foundSql<T extends object>(
  request: RowsRequest<T>,
  found: FilterQuery<T>,
  { bounds, size }: Order<T>,
  firstOf: (rows: number) => string,
  sql: WrittenSql,
): string {
  const rows = (conditions: readonly FilterQuery<T>[]) =>
    `select * from "${request.table.table}" r where ${whereSql(request, [...request.conditions, ...bounds, ...conditions], sql)}`;
  // The offset keeps the planner from looking for a cheaper path to the order.
  const all = `(${rows([found])} offset 0) r`;
  // Rows without an owner column are found by the condition, in no order.
  if (request.list.belonging) return all;
  const isFull = `(select count(*) from near) > ${size}`;
  return `(with near as materialized (
      select * from (${rows([])} ${firstOf(MOST_WALKED)}) r where ${conditionSql(request.table, found, sql)} ${firstOf(size + 1)})
    select * from near where ${isFull} union all select * from ${all} where not ${isFull}) r`;
}

/** The column with the rows of the nested list at this position, as JSON. */
export const nestedColumn = (place: number): string => `nested${place}`;

/** The beginning of each node's list, one row more than fits the page, as one value next to the node. */
function nestedSql(
  ctx: Context,
  { along: { list }, first, properties: requested }: NestedPage,
  place: number,
  sql: WrittenSql,
): string {
  const table = listTable(ctx, list.entity);
  const column = (property: string) => `r."${table.columns.get(property)?.column}"`;
  const properties = new Set([...(list.orders[list.usualOrder.field] ?? []), ...table.primaryKeys]);
  const by = [...properties].map((property) => `${column(property)} ${list.usualOrder.direction}`);
  const name = nestedColumn(place);
  return `left join lateral (select json_agg(own) as "${name}" from (select ${selectedOf(table, [...properties], requested)} from "${table.table}" r
    where ${column(String(list.owner))} = node.id order by ${by.join(', ')} limit ${sql.value(first + 1)}) own) ${name} on true`;
}

function selectedOf(table: ListTable, ordered: readonly string[], requested: readonly string[] | null): string {
  return table.selected(requested && new Set([...requested, ...ordered, ...table.primaryKeys]));
}

function owned<T extends object>(
  ctx: Context,
  { table, owners }: RowsRequest<T>,
  found: readonly FoundRow[],
  gate: Gate | null,
): (OwnRows<T> | null)[] {
  const all: (OwnRows<T> | null)[] = owners.map(() => (gate ? null : { nodes: [], count: null }));
  for (const row of found) {
    const place = Number(row.listOwner) - 1;
    if (gate && !all[place]) gate.admit(row);
    all[place] ??= { nodes: [], count: null };
    const own = all[place];
    if (row.listCount !== undefined) own.count = Number(row.listCount);
    if (!row.listRow) continue;
    // The selected columns are the entity's, under its property names.
    table.complete?.(row as unknown as Record<string, unknown>, ctx);
    own.nodes.push(row as unknown as T);
  }
  return all;
}

/** Counts the rows of all owners, up to one more than the list's limit; returns counts by 0-based owner position. */
export async function countRows<T extends object>(ctx: Context, request: RowsRequest<T>): Promise<Map<number, number>> {
  const sql = new WrittenSql(request.list.parts);
  const text = `select owner.place as "listOwner", counted.n as "listCount" from ${ownersTable(request, sql)}
    cross join lateral (${countOf(request, sql)}) counted`;
  const rows = await ctx.rows<FoundRow>(statementOf(text, sql), sql.values);
  return new Map(rows.map(({ listOwner, listCount }) => [Number(listOwner) - 1, Number(listCount)]));
}

function countOf<T extends object>(request: RowsRequest<T>, sql: WrittenSql): string {
  const where = whereSql(request, [...request.conditions, ...(request.found ? [request.found] : [])], sql);
  return `select count(*) as n from
    (select from "${request.table.table}" r where ${where} limit ${request.list.mostCounted + 1}) c`;
}

function whereSql<T extends object>(
  { list, table }: RowsRequest<T>,
  conditions: readonly FilterQuery<T>[],
  sql: WrittenSql,
): string {
  const own = ownersOf(list).map((property, index) => `r."${table.columns.get(property)?.column}" = owner.id${index}`);
  const belonging = list.belonging ? [`(${list.belonging.sql})`] : [];
  return [...own, ...belonging, conditionSql(table, { $and: conditions } as FilterQuery<T>, sql)].join(' and ');
}

/** All owners as the table `owner`, each with its 1-based position. */
function ownersTable<T extends object>({ list, table, owners }: RowsRequest<T>, sql: WrittenSql): string {
  const types = list.belonging?.types ?? ownersOf(list).map((property) => table.columns.get(property)?.type);
  if (types.length === 0) return '(values (1)) as owner(place)';
  if (owners.length === 1) return oneOwner(types, [owners[0] as OwnerId].flat(), sql);
  const arrays = types.map((type, index) => {
    const ids = owners.map((owner) => [owner].flat()[index]);
    return `${sql.value(ids)}::${type}[]`;
  });
  const names = types.map((_, index) => `id${index}`);
  return `unnest(${arrays.join(', ')}) with ordinality as owner(${names.join(', ')}, place)`;
}

/** PostgreSQL assumes ten rows for an array, so a single owner would be replanned each time. */
function oneOwner(types: readonly (string | undefined)[], ids: readonly string[], sql: WrittenSql): string {
  const columns = types.map((type, index) => `${sql.value(ids[index])}::${type} as id${index}`);
  return `(select ${columns.join(', ')}, 1 as place) owner`;
}

const ownersOf = <T extends object>({ owner }: List<T>): readonly string[] => [owner].flat();

/** Prepared statements cost memory on every connection, and callers can request unlimited shapes. */
const MOST_PREPARED = 256;
const prepared = new Map<string, string>();

/** Prepares a statement under a name if one plan suits all values, for the first shapes requested. */
function statementOf(text: string, { isSteady }: WrittenSql): Statement {
  let name = prepared.get(text);
  if (name === undefined && isSteady && prepared.size < MOST_PREPARED) {
    name = `list-${prepared.size}`;
    prepared.set(text, name);
  }
  return { ...(name === undefined ? {} : { name }), text, types: AS_IN_ENTITIES };
}
