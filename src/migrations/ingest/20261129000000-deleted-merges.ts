import { Migration } from '@mikro-orm/migrations';

/**
 * A process may know an id of a deleted person by the person that it belonged to before a recent merge or split, so these
 * are reported as gone, too. A deletion removes the merges of the person's ids, which name them.
 */
export class DeletedMergesMigration extends Migration {
  override up(): void {
    this.addSql(`create function note_unmerged_persons() returns trigger language plpgsql as $$
      begin
        insert into person_change (project_id, environment, gone_ids)
        select project_id, environment, array_agg(distinct gone)
          from changed cross join unnest(array[person_id, merged_person_id]) as gone
         where gone is not null group by project_id, environment;
        return null;
      end $$`);
    this.addSql(`create trigger person_merge_deleted after delete on person_merge referencing old table as changed
      for each statement execute function note_unmerged_persons()`);
  }
}
