import type { Migration } from '@mikro-orm/migrations';
import { LOCK_TIMEOUT_MS } from '../kernel/database/lock-timeout.js';

interface WholeMigration extends Migration {
  up(): Promise<void> | void;
}

/** A migration class with its `up`. */
export type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => WholeMigration;

/**
 * Runs statements of a non-transactional migration in one transaction, which gives way like other migrations (SQLSTATE
 * 55P03).
 */
export const together = (...statements: readonly string[]): string =>
  [`set local lock_timeout = ${LOCK_TIMEOUT_MS}`, ...statements].join(';\n');

/**
 * The same migration, but its statements (`addSql`) fail with SQLSTATE 55P03 instead of waiting longer for a lock. A
 * non-transactional one blocks nobody.
 */
export function withLockTimeout(base: MigrationClass): MigrationClass {
  return class extends base {
    override getQueries(): ReturnType<Migration['getQueries']> {
      const queries = super.getQueries();
      return this.isTransactional() ? [`set local lock_timeout = ${LOCK_TIMEOUT_MS}`, ...queries] : queries;
    }
  };
}
