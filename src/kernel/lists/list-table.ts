import type { EntityClass } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Context } from '../context.js';
import { instantOf } from '../database/instants.js';

/** A stored property of an entity, and the column that holds it. */
export interface Column {
  name: string;
  column: string;
  /** The type as PostgreSQL writes it. */
  type: string;
}

/** The table of an entity, as far as lists read it. */
export interface ListTable {
  table: string;
  columns: ReadonlyMap<string, Column>;
  primaryKeys: readonly string[];
  /** Columns under the names of their properties, for the alias `r`: those of the given properties, in the table's order, or all. */
  selected(properties: ReadonlySet<string> | null): string;
  /** Puts objects in place of foreign keys; null where there are none. */
  complete: ((row: Record<string, unknown>, ctx: Context) => void) | null;
  /** Makes of a row that came as JSON what it would be as columns. */
  fromJson(row: Record<string, unknown>): void;
}

const tables = new WeakMap<object, ListTable>();

/** Worked out once an entity, from what MikroORM knows about it. */
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
    // The type of a key is known to the entity alone that it leads to.
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

/** How values come from JSON that is made by PostgreSQL, where that has another type for them. */
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

/** Parsers of the database's values that answer what entities hold: days stay text. */
export const AS_IN_ENTITIES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') => {
    if (oid === DATE) return String;
    return oid === TIMESTAMPTZ ? instantOf : pg.types.getTypeParser(oid, format);
  }) as pg.CustomTypesConfig['getTypeParser'],
};
