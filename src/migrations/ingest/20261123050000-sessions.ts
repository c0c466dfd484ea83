import { Migration } from '@mikro-orm/migrations';

/**
 * Started sessions, counted by hour alongside all events with the same notes, and crashed sessions. Hours that already
 * contain such events are recounted.
 */
export class SessionsMigration extends Migration {
  override up(): void {
    this.addSql(`create table session_hour (
        project_id uuid not null,
        environment text not null,
        received timestamptz not null,
        occurred timestamptz not null,
        release text not null,
        count bigint not null,
        primary key (project_id, environment, received, occurred, release)
      )`);
    this.addSql(`create index session_hour_occurred_index on session_hour (project_id, environment, occurred)`);
    this.addSql(`create table crashed_session (
        project_id uuid not null,
        environment text not null,
        started_at timestamptz not null,
        session_id text not null,
        release text not null,
        distinct_id text null,
        primary key (project_id, environment, started_at, session_id)
      )`);
    this.addSql(`insert into event_hour_note (project_id, environment, received)
      select distinct project_id, environment, received from event_hour where event_name = 'session_start'`);
  }
}
