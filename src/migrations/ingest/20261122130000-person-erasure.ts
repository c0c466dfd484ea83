import { Migration } from '@mikro-orm/migrations';

/** Deleted persons that a job still erases from what other modules store; a row goes when that is done. */
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
