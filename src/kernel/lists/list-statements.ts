import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context, Statement } from '../context.js';
import { conditionSql, WrittenSql } from './condition-sql.js';
import type { Direction, List, OwnerId, PropertyOf } from './list.js';
import { AS_IN_ENTITIES, type ListTable, listTable } from './list-table.js';
import type { NestedPage } from './read-along.js';

/** Which rows of which owners are asked for. */
export interface AskedRows<T extends object> {
  list: List<T>;
  table: ListTable;
  owners: readonly OwnerId[];
  conditions: readonly FilterQuery<T>[];
  /** Come before the order; see `Reading`. */
  found: FilterQuery<T> | null;
  nested: readonly NestedPage[];
  /** What is read of each row besides its key and its order; null for all. */
  properties: readonly string[] | null;
}

/** What lists are read through: owners without a row in the tables that it joins to them have none. */
export interface Gate {
  columns: string;
  /** Joins tables to `owner`, whose first id is `id0`. */
  join(sql: WrittenSql): string;
  /** Takes what the columns say about an owner, in the first of its rows. */
  admit(row: object): void;
}

/** The order of a page, and where it begins. */
export interface Order<T> {
  name: string;
  /** Of the rows as they are read, which for a page from the end is backwards. */
  direction: Direction;
  properties: readonly PropertyOf<T>[];
  size: number;
  bounds: FilterQuery<T>[];
}

/** The rows of one owner, one more than the page takes, and how many there are, if they were counted. */
export interface OwnRows<T> {
  nodes: T[];
  count: number | null;
}

/** What stands in a row besides its own columns; an owner without rows has one that holds nothing else. */
interface FoundRow {
  /** The place of its owner among those that were asked for, from 1. */
  listOwner: string;
  listRow: true | null;
  listCount?: string;
}

/** Reads the rows of all owners, and counts them if that is wanted, in one statement; answers by the place of the owner. */
export async function readRows<T extends object>(
  ctx: Context,
  asked: AskedRows<T>,
  order: Order<T>,
  counts: boolean,
  gate: Gate | null,
): Promise<(OwnRows<T> | null)[]> {
  const { table, conditions, nested, properties } = asked;
  const sql = new WrittenSql(asked.list.parts);
  const all = [ownersTable(asked, sql), ...(gate ? [gate.join(sql)] : [])].join(' ');
  const count = counts
    ? { column: ', counted.n as "listCount"', join: `cross join lateral (${countOf(asked, sql)}) counted` }
    : { column: '', join: '' };
  const by = order.properties.map((property) => `r."${table.columns.get(property)?.column}" ${order.direction}`);
  const firstOf = (rows: number) => `order by ${by.join(', ')} limit ${rows}`;
  const source = asked.found
    ? foundSql(asked, asked.found, order, firstOf, sql)
    : `"${table.table}" r where ${whereSql(asked, [...conditions, ...order.bounds], sql)}`;
  const rows = `select true as "listRow", ${selectedOf(table, order.properties, properties)} from ${source} ${firstOf(order.size + 1)}`;
  const along = nested.map((page, place) => nestedSql(ctx, page, place, sql));
  const columns = [gate?.columns, 'node.*', ...nested.map((_, place) => `${nestedColumn(place)}.*`)];
  const text = `select owner.place as "listOwner"${count.column}, ${columns.filter(Boolean).join(', ')} from ${all} ${count.join}
    left join lateral (${rows}) node on true ${along.join(' ')}`;
  const found = await ctx.rows<FoundRow>(statementOf(text, sql), sql.values);
  return owned(ctx, asked, found, gate);
}

/** Rows of the order among which a page is looked for before all that indexes find are put in order. */
const MOST_WALKED = 1_000;

/**
 * The table `r` of rows that indexes find. Where these are many, a page of them stands near the beginning of the order; else all are read, to be put in
 * order. Only one of the two is read to its end: the condition between them holds for no row or for each, and PostgreSQL asks for it first
 * (EXPLAIN: One-Time Filter).
 */
function foundSql<T extends object>(
  asked: AskedRows<T>,
  found: FilterQuery<T>,
  { bounds, size }: Order<T>,
  firstOf: (rows: number) => string,
  sql: WrittenSql,
): string {
  const rows = (conditions: readonly FilterQuery<T>[]) =>
    `select * from "${asked.table.table}" r where ${whereSql(asked, [...asked.conditions, ...bounds, ...conditions], sql)}`;
  // Beyond the offset the planner does not look for a cheaper way to the order.
  const all = `(${rows([found])} offset 0) r`;
  // Rows that name no owner are found by it, and in no order.
  if (asked.list.belonging) return all;
  const isFull = `(select count(*) from near) > ${size}`;
  return `(with near as materialized (
      select * from (${rows([])} ${firstOf(MOST_WALKED)}) r where ${conditionSql(asked.table, found, sql)} ${firstOf(size + 1)})
    select * from near where ${isFull} union all select * from ${all} where not ${isFull}) r`;
}

/** The name of the column that holds the rows of the nested list in this place, as JSON. */
export const nestedColumn = (place: number): string => `nested${place}`;

/** The beginning of a list of each node, one row more than the page takes, as one value beside the node. */
function nestedSql(
  ctx: Context,
  { along: { list }, first, properties: asked }: NestedPage,
  place: number,
  sql: WrittenSql,
): string {
  const table = listTable(ctx, list.entity);
  const column = (property: string) => `r."${table.columns.get(property)?.column}"`;
  const properties = new Set([...(list.orders[list.usualOrder.field] ?? []), ...table.primaryKeys]);
  const by = [...properties].map((property) => `${column(property)} ${list.usualOrder.direction}`);
  const name = nestedColumn(place);
  return `left join lateral (select json_agg(own) as "${name}" from (select ${selectedOf(table, [...properties], asked)} from "${table.table}" r
    where ${column(String(list.owner))} = node.id order by ${by.join(', ')} limit ${sql.value(first + 1)}) own) ${name} on true`;
}

function selectedOf(table: ListTable, ordered: readonly string[], asked: readonly string[] | null): string {
  return table.selected(asked && new Set([...asked, ...ordered, ...table.primaryKeys]));
}

function owned<T extends object>(
  ctx: Context,
  { table, owners }: AskedRows<T>,
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
    // What was selected are the entity's columns, under the names of its properties.
    table.complete?.(row as unknown as Record<string, unknown>, ctx);
    own.nodes.push(row as unknown as T);
  }
  return all;
}

/** Counts the rows of all owners, up to one more than the list counts; answers by the place of the owner, from 0. */
export async function countRows<T extends object>(ctx: Context, asked: AskedRows<T>): Promise<Map<number, number>> {
  const sql = new WrittenSql(asked.list.parts);
  const text = `select owner.place as "listOwner", counted.n as "listCount" from ${ownersTable(asked, sql)}
    cross join lateral (${countOf(asked, sql)}) counted`;
  const rows = await ctx.rows<FoundRow>(statementOf(text, sql), sql.values);
  return new Map(rows.map(({ listOwner, listCount }) => [Number(listOwner) - 1, Number(listCount)]));
}

function countOf<T extends object>(asked: AskedRows<T>, sql: WrittenSql): string {
  const where = whereSql(asked, [...asked.conditions, ...(asked.found ? [asked.found] : [])], sql);
  return `select count(*) as n from
    (select from "${asked.table.table}" r where ${where} limit ${asked.list.mostCounted + 1}) c`;
}

function whereSql<T extends object>(
  { list, table }: AskedRows<T>,
  conditions: readonly FilterQuery<T>[],
  sql: WrittenSql,
): string {
  const own = ownersOf(list).map((property, index) => `r."${table.columns.get(property)?.column}" = owner.id${index}`);
  const belonging = list.belonging ? [`(${list.belonging.sql})`] : [];
  return [...own, ...belonging, conditionSql(table, { $and: conditions } as FilterQuery<T>, sql)].join(' and ');
}

/** All owners as the table `owner`, each with its place among them, from 1. */
function ownersTable<T extends object>({ list, table, owners }: AskedRows<T>, sql: WrittenSql): string {
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

/** Of an array PostgreSQL expects ten rows until it knows better, and so would plan anew for the one each time. */
function oneOwner(types: readonly (string | undefined)[], ids: readonly string[], sql: WrittenSql): string {
  const columns = types.map((type, index) => `${sql.value(ids[index])}::${type} as id${index}`);
  return `(select ${columns.join(', ')}, 1 as place) owner`;
}

const ownersOf = <T extends object>({ owner }: List<T>): readonly string[] => [owner].flat();

/** Statements that a connection keeps prepared cost it memory, and callers can ask for more shapes than anybody would keep. */
const MOST_PREPARED = 256;
const prepared = new Map<string, string>();

/** Prepared under a name when one plan serves all values, for the shapes that are asked for first. */
function statementOf(text: string, { isSteady }: WrittenSql): Statement {
  let name = prepared.get(text);
  if (name === undefined && isSteady && prepared.size < MOST_PREPARED) {
    name = `list-${prepared.size}`;
    prepared.set(text, name);
  }
  return { ...(name === undefined ? {} : { name }), text, types: AS_IN_ENTITIES };
}
