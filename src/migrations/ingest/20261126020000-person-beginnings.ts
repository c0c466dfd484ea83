import { indexMigration } from '../index-migration.js';

const beginning = (key: string) =>
  `person (project_id, environment, left(lower(properties->>'${key}'), 400) text_pattern_ops) where properties->>'${key}' is not null`;

/**
 * Indexes to find people by the beginning of email address and name; full values could exceed the index limit, and
 * their rows were rejected.
 */
export const PersonBeginningsMigration = indexMigration({
  indexes: { person_email_index: beginning('email'), person_name_index: beginning('name') },
});
