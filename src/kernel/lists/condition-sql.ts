import { type FilterQuery, RawQueryFragment } from '@mikro-orm/postgresql';
import type { ListTable } from './list-table.js';

/**
 * A statement being built. Its text depends on the shape of the query, never on values, which appear as `$1` and so on.
 */
export class WrittenSql {
  readonly values: unknown[] = [];
  /** Whether one plan suits any values. A comparison with a caller's value may match no row or nearly all. */
  isSteady = true;

  /** @param parts properties that can be compared with any value; see `ListOptions.parts` */
  constructor(private readonly parts: readonly string[]) {}

  /** Records that a property is compared with a value. */
  compares(property: string, operator: string): void {
    if (operator !== '$eq' || !this.parts.includes(property)) this.isSteady = false;
  }

  /** Adds a value and returns its placeholder. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** SQL with a question mark for each value. */
  raw({ sql, params }: { sql: string; params: readonly unknown[] }): string {
    let index = 0;
    return sql.replaceAll('?', () => this.value(params[index++]));
  }
}

type Operands = Record<string, unknown>;

const COMPARISONS: Readonly<Record<string, string>> = {
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
  $like: 'like',
  $ilike: 'ilike',
};

/** Writes SQL for MikroORM conditions on rows of alias `r`, as far as lists use them; fails for unknown operators. */
export function conditionSql<T extends object>(table: ListTable, condition: FilterQuery<T>, sql: WrittenSql): string {
  const parts = Reflect.ownKeys(condition as object).map((key) => {
    const value = (condition as Record<string | symbol, unknown>)[key];
    const raw = typeof key === 'symbol' ? RawQueryFragment.getKnownFragment(key) : undefined;
    if (raw) return `(${rawSql(raw, sql)})`;
    if (key === '$and') return joined(table, value as FilterQuery<T>[], ' and ', 'true', sql);
    if (key === '$or') return joined(table, value as FilterQuery<T>[], ' or ', 'false', sql);
    return propertySql(table, String(key), value, sql);
  });
  return parts.filter((part) => part !== 'true').join(' and ') || 'true';
}

function rawSql(raw: { sql: string; params: readonly unknown[] }, sql: WrittenSql): string {
  sql.isSteady = false;
  return sql.raw(raw);
}

function joined<T extends object>(
  table: ListTable,
  conditions: readonly FilterQuery<T>[],
  word: string,
  none: string,
  sql: WrittenSql,
): string {
  const parts = conditions.map((condition) => conditionSql(table, condition, sql)).filter((part) => part !== 'true');
  return parts.length > 0 ? `(${parts.join(word)})` : conditions.length > 0 ? 'true' : none;
}

function propertySql(table: ListTable, property: string, value: unknown, sql: WrittenSql): string {
  const known = table.columns.get(property);
  if (!known) throw new Error(`${table.table} has no property ${property}`);
  const column = `r."${known.column}"`;
  if (value === undefined) return 'true';
  if (value === null) return `${column} is null`;
  if (typeof value === 'boolean') return `${column} = ${sql.value(value)}`;
  const operands: Operands = typeof value !== 'object' || value instanceof Date ? { $eq: value } : (value as Operands);
  const parts = Object.entries(operands).map(([operator, operand]) => {
    if (operator === '$ne' && operand === null) return `${column} is not null`;
    sql.compares(property, operator);
    if (operator === '$eq') return `${column} = ${sql.value(operand)}`;
    if (operator === '$in') return `${column} = any(${sql.value(operand)})`;
    if (operator === '$contains') return `${column} @> ${sql.value(JSON.stringify(operand))}::jsonb`;
    const comparison = COMPARISONS[operator];
    if (!comparison) throw new Error(`lists do not support the operator ${operator}`);
    return `${column} ${comparison} ${sql.value(operand)}`;
  });
  return parts.join(' and ') || 'true';
}
