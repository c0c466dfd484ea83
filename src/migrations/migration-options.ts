import type { MigrationsOptions } from '@mikro-orm/postgresql';
import { MIGRATIONS } from './all-migrations.js';
import { withLockTimeout } from './lock-timeout.js';

/** How the ORM's migrator runs migrations and where it records them. */
export const MIGRATION_OPTIONS: MigrationsOptions = {
  migrationsList: MIGRATIONS.map(({ name, class: base }) => ({ name, class: withLockTimeout(base) })),
  // Each in its own transaction: a concurrent index build would wait forever for a shared one.
  allOrNothing: false,
  snapshot: false,
  disableForeignKeys: false,
  tableName: 'schema_migration',
  silent: true,
};
