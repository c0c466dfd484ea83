import type { MigrationsOptions } from '@mikro-orm/postgresql';
import { MIGRATIONS } from './all-migrations.js';
import { withLockTimeout } from './lock-timeout.js';

/** How the ORM's migrator runs the migrations and where it notes them. */
export const MIGRATION_OPTIONS: MigrationsOptions = {
  migrationsList: MIGRATIONS.map(({ name, class: base }) => ({ name, class: withLockTimeout(base) })),
  // Each in its own transaction: an index that is built concurrently would wait for a common one forever.
  allOrNothing: false,
  snapshot: false,
  disableForeignKeys: false,
  tableName: 'schema_migration',
  silent: true,
};
