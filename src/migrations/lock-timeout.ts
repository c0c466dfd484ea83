import type { Migration } from '@mikro-orm/migrations';
import { LOCK_TIMEOUT_MS } from '../kernel/database/lock-timeout.js';

interface WholeMigration extends Migration {
  up(): Promise<void> | void;
}

/** A migration that can be made: with its `up`. */
export type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => WholeMigration;

/** Statements of a migration outside transactions that are one transaction for themselves, which gives way like those of others (SQLSTATE 55P03). */
export const together = (...statements: readonly string[]): string =>
  [`set local lock_timeout = ${LOCK_TIMEOUT_MS}`, ...statements].join(';\n');

/** The same migration, whose statements (`addSql`) fail with SQLSTATE 55P03 where they would wait longer for a lock. One outside transactions blocks nobody. */
export function withLockTimeout(base: MigrationClass): MigrationClass {
  return class extends base {
    override getQueries(): ReturnType<Migration['getQueries']> {
      const queries = super.getQueries();
      return this.isTransactional() ? [`set local lock_timeout = ${LOCK_TIMEOUT_MS}`, ...queries] : queries;
    }
  };
}
