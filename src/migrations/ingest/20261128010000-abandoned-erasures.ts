import { Migration } from '@mikro-orm/migrations';

/**
 * Like additions, erasures are noted only while a copy is wanted; an abandoned copy is rebuilt from the data at that
 * time.
 */
export class AbandonedErasuresMigration extends Migration {
  override up(): void {
    this.addSql(`create or replace function note_analytics_erasure(erasure jsonb) returns void language plpgsql as $$
      begin
        perform pg_current_xact_id();
        if exists (select from analytics_copy where wanted) then
          insert into analytics_erasure (dataset, project_id, environment, distinct_ids, ids, before)
          select e.* from jsonb_to_record(erasure) as e(dataset text, project_id uuid, environment text, distinct_ids text[],
            ids text[], before timestamptz);
        end if;
      end $$`);
  }
}
