import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from './concurrent-index.js';

const INDEXES = {
  survey_project_created_index: 'survey (project_id, created_at, id)',
  changelog_entry_title_index: 'changelog_entry (project_id, title, id)',
};

/** Indexes to find surveys by creation time and changelog entries by title. Built concurrently. */
export class SurveyAndChangelogFiltersMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    addIndexes(this, INDEXES);
  }
}
