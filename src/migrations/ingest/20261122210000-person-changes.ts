import { Migration } from '@mikro-orm/migrations';

/**
 * Records which persons changed in which transaction, so that every process can invalidate its cache. It is written by
 * triggers, which also cover processes of an older version. `gone_ids` are deleted persons, whose distinct ids must not
 * be stored anywhere. Rows are kept for two hours.
 */
export class PersonChangesMigration extends Migration {
  override up(): void {
    this.addSql(`create table person_change (
        transaction xid8 not null default pg_current_xact_id(),
        project_id uuid not null,
        environment text not null,
        person_ids text[] not null default '{}',
        gone_ids text[] not null default '{}',
        changed_at timestamptz not null default now()
      )`);
    this.addSql('create index person_change_transaction_index on person_change (transaction)');
    this.addSql(`create function note_changed_persons() returns trigger language plpgsql as $$
      begin
        insert into person_change (project_id, environment, person_ids)
        select project_id, environment, array_agg(id) from changed group by project_id, environment;
        return null;
      end $$`);
    this.addSql(`create function note_gone_persons() returns trigger language plpgsql as $$
      begin
        insert into person_change (project_id, environment, gone_ids)
        select project_id, environment, array_agg(distinct person_id) from changed group by project_id, environment;
        return null;
      end $$`);
    this.addSql(`create trigger person_inserted after insert on person referencing new table as changed
      for each statement execute function note_changed_persons()`);
    this.addSql(`create trigger person_updated after update on person referencing new table as changed
      for each statement execute function note_changed_persons()`);
    this.addSql(`create trigger person_id_deleted after delete on person_id referencing old table as changed
      for each statement execute function note_gone_persons()`);
  }
}
