import type { EntityClass } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Context } from '../context.js';
import { instantOf } from '../database/instants.js';

/** A stored property of an entity and its column. */
export interface Column {
  name: string;
  column: string;
  type: string;
}

/** The table of an entity, as far as lists need it. */
export interface ListTable {
  table: string;
  columns: ReadonlyMap<string, Column>;
  primaryKeys: readonly string[];
  /** Columns of alias `r` under their property names: the given properties in table order, or all. */
  selected(properties: ReadonlySet<string> | null): string;
  /** Replaces foreign keys by objects; null without foreign keys. */
  complete: ((row: Record<string, unknown>, ctx: Context) => void) | null;
  /** Converts a row from JSON to the values it would have as columns. */
  fromJson(row: Record<string, unknown>): void;
}

const tables = new WeakMap<object, ListTable>();

/** Computed once per entity from MikroORM's metadata. */
export function listTable(ctx: Context, entity: EntityClass<object>): ListTable {
  const known = tables.get(entity);
  if (known) return known;
  const meta = ctx.em.getMetadata().get(entity);
  const stored = meta.props.filter(({ persist, lazy }) => persist !== false && !lazy);
  const columns = stored.map(({ name, fieldNames, columnTypes }) => ({
    name: String(name),
    column: fieldNames[0] as string,
    type: columnTypes[0] as string,
  }));
  const references = stored.filter(({ kind }) => kind !== 'scalar');
  const complete: ListTable['complete'] = (row, { em }) => {
    // Only the referenced entity knows the type of the key.
    for (const { name, targetMeta } of references.filter((reference) => reference.name in row))
      row[name] = em.getReference((targetMeta as { class: EntityClass<object> }).class, row[name] as never);
  };
  const table = {
    table: meta.tableName,
    columns: new Map(columns.map((column) => [column.name, column])),
    primaryKeys: meta.primaryKeys.map(String),
    selected: (properties: ReadonlySet<string> | null) =>
      columns
        .filter(({ name }) => properties?.has(name) ?? true)
        .map(({ name, column }) => `r."${column}" as "${name}"`)
        .join(', '),
    complete: references.length > 0 ? complete : null,
    fromJson: fromJson(columns),
  };
  tables.set(entity, table);
  return table;
}

/** Converters for values that have another type in PostgreSQL's JSON. */
const READERS: Readonly<Record<string, (value: string) => unknown>> = {
  bigint: String,
  bytea: (hex) => Buffer.from(hex.slice(2), 'hex'),
};

function fromJson(columns: readonly Column[]): ListTable['fromJson'] {
  const written = columns.flatMap(({ name, type }) => {
    const read = type.startsWith('timestamptz') ? instantOf : READERS[type];
    return read ? [{ name, read: read as (value: unknown) => unknown }] : [];
  });
  return (row) => {
    for (const { name, read } of written) if (row[name] != null) row[name] = read(row[name]);
  };
}

const { DATE, TIMESTAMPTZ } = pg.types.builtins;

/** Parsers that return the values entities hold; dates stay text. */
export const AS_IN_ENTITIES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') => {
    if (oid === DATE) return String;
    return oid === TIMESTAMPTZ ? instantOf : pg.types.getTypeParser(oid, format);
  }) as pg.CustomTypesConfig['getTypeParser'],
};
