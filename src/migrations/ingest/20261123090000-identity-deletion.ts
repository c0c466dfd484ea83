import { Migration } from '@mikro-orm/migrations';

/** Deletes a person's identity while holding the environment's identity lock only for this statement and the commit. */
export class IdentityDeletionMigration extends Migration {
  override up(): void {
    this.addSql(`create function delete_identity(place text, gone text, ids text[]) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended(place, 3));
        if (select count(*) from person_id where person_id = gone) <> cardinality(ids)
            or exists (select distinct_id from person_id where person_id = gone except select unnest(ids)) then
          raise exception 'the ids of % changed', gone using errcode = 'serialization_failure';
        end if;
        delete from person_merge m using person_id i
         where i.person_id = gone and (m.project_id, m.environment, m.alias_id) = (i.project_id, i.environment, i.distinct_id);
        delete from person_id where person_id = gone;
        delete from person where id = gone;
      end $$`);
  }
}
