import type { MigrationsOptions } from '@mikro-orm/postgresql';
import { MIGRATIONS } from './all-migrations.js';
import type { MigrationClass } from './lock-timeout.js';
import { MIGRATION_OPTIONS } from './migration-options.js';

/**
 * The same migrations for a database that nobody else uses yet: all in one transaction, without concurrent index
 * builds.
 */
export const MIGRATIONS_ALONE: MigrationsOptions = {
  ...MIGRATION_OPTIONS,
  migrationsList: MIGRATIONS.map(({ name, class: base }) => ({ name, class: alone(base) })),
  allOrNothing: true,
};

function alone(base: MigrationClass): MigrationClass {
  return class extends base {
    override isTransactional(): boolean {
      return true;
    }

    override getQueries(): ReturnType<MigrationClass['prototype']['getQueries']> {
      return super
        .getQueries()
        .map((query) =>
          typeof query === 'string' ? query.replace(/^((?:create(?: unique)?|drop) index) concurrently/, '$1') : query,
        );
    }
  };
}
