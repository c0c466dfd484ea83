import { indexMigration } from '../index-migration.js';
import { together } from '../lock-timeout.js';

/** The client's id of a submission. Built concurrently, because there may be many responses. */
export const ResponseInsertIdsMigration = indexMigration({
  before: [together('alter table survey_response add column if not exists insert_id text')],
  unique: {
    survey_response_insert_id_index: 'survey_response (survey_id, environment, insert_id) where insert_id is not null',
  },
});
