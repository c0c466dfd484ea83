import { Migration } from '@mikro-orm/migrations';

/** Deleted persons whom a job is still erasing from other modules; a row is removed when that is done. */
export class PersonErasureMigration extends Migration {
  override up(): void {
    this.addSql(`create table person_erasure (
        id uuid not null,
        project_id uuid not null,
        environment text not null,
        distinct_ids text[] not null,
        progress text null,
        created_at timestamptz not null,
        primary key (id)
      )`);
  }
}
