import { Index } from '@mikro-orm/decorators/legacy';

/** An index that only SQL can describe, by what follows `on`: the table, then the columns. */
export const SqlIndex = (name: string, on: string, { unique = false } = {}) =>
  Index({ name, expression: `create ${unique ? 'unique ' : ''}index "${name}" on ${on}` });

/** An index for searching parts of texts. */
export const TextIndex = (name: string, table: string, columns: readonly string[]) =>
  SqlIndex(name, `"${table}" using gin (${columns.map((column) => `"${column}" gin_trgm_ops`).join(', ')})`);
