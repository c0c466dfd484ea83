import { Migration } from '@mikro-orm/migrations';

const INDEXES = {
  survey_project_created_index: 'survey (project_id, created_at, id)',
  changelog_entry_title_index: 'changelog_entry (project_id, title, id)',
};

/** Finds surveys by when they were made, and changelog entries by title. Built beside writers. */
export class SurveyAndChangelogFiltersMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, columns] of Object.entries(INDEXES)) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${columns}`);
    }
  }
}
