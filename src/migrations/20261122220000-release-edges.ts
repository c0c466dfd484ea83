import { Migration } from '@mikro-orm/migrations';

const INDEXES = {
  symbol_artifact_release_index: 'symbol_artifact (project_id, environment, release, uploaded_at, id)',
  person_email_index: `person (project_id, environment, lower(properties->>'email') text_pattern_ops) where lower(properties->>'email') is not null`,
  person_name_index: `person (project_id, environment, lower(properties->>'name') text_pattern_ops) where lower(properties->>'name') is not null`,
};

const EVENTS = 'crash_event_release_index';
const EVENT_COLUMNS = '(project_id, environment, release, received_at, event_id) where release is not null';

/** A release leads to its symbols and crashes, and people are found by e-mail address and name. Built beside writers. */
export class ReleaseEdgesMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${columns}`);
    }
    // A partitioned index cannot be built beside writers, those of its partitions can.
    this.addSql(`create index if not exists ${EVENTS} on only crash_event ${EVENT_COLUMNS}`);
    for (const partition of await this.partitionsWithout()) {
      const name = `${partition}_release_index`;
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${partition} ${EVENT_COLUMNS}`);
      this.addSql(`alter index ${EVENTS} attach partition ${name}`);
    }
  }

  /** Partitions of the crash events whose index an attempt that failed has not attached already. */
  private async partitionsWithout(): Promise<string[]> {
    const rows = await this.execute(
      `select p.inhrelid::regclass::text as name from pg_inherits p
        where p.inhparent = 'crash_event'::regclass and not exists (
          select from pg_index i join pg_inherits a on a.inhrelid = i.indexrelid
           where i.indrelid = p.inhrelid and a.inhparent = to_regclass('${EVENTS}'))`,
    );
    return rows.map((row) => String((row as { name: string }).name));
  }
}
