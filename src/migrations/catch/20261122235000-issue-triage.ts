import { Migration } from '@mikro-orm/migrations';

/** Crash issues can be assigned, ignored for a while, and merged. */
export class IssueTriageMigration extends Migration {
  override up(): void {
    this.addSql(`alter table crash_issue
      add column ignored boolean not null default false,
      add column ignored_at timestamptz null,
      add column ignored_until timestamptz null,
      add column ignored_until_count bigint null,
      add column assignee_id uuid null,
      add column merged_into_id text null`);
    this.addSql(
      `create index crash_issue_merged_index on crash_issue (merged_into_id) where merged_into_id is not null`,
    );
  }
}
