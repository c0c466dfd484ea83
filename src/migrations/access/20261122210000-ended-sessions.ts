import { Migration } from '@mikro-orm/migrations';

/** Sessions that were signed out before their tokens expired. */
export class EndedSessionsMigration extends Migration {
  override up(): void {
    this.addSql(`create table ended_session (id uuid primary key, ended_at timestamptz not null)`);
    this.addSql(`create index ended_session_ended_at_index on ended_session (ended_at)`);
  }
}
