import { Migration } from '@mikro-orm/migrations';

/**
 * The queue of changes for a copy of the analytics data in another store. Writers note additions and erasures in their
 * own transactions, only while a copy is wanted; the copier deletes a note once the copy has it. The functions take a
 * transaction id before they check, so that a new copy can wait for all writers that checked too early.
 */
export class AnalyticsMigration extends Migration {
  override up(): void {
    this.addSql(`create table analytics_copy (
        id boolean not null default true check (id),
        installation uuid not null default gen_random_uuid(),
        copy_id uuid not null,
        wanted boolean not null,
        fence xid8 null,
        filled_at timestamptz null,
        started_at timestamptz not null,
        seen_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create table analytics_addition (
        sequence bigint generated always as identity not null,
        dataset text not null,
        project_id uuid null,
        environment text null,
        low bigint null,
        high bigint null,
        distinct_ids text[] null,
        ids text[] null,
        done_to text null,
        amount bigint not null,
        created_at timestamptz not null default clock_timestamp(),
        primary key (sequence)
      )`);
    this.addSql(`create table analytics_erasure (
        sequence bigint generated always as identity not null,
        dataset text not null,
        project_id uuid null,
        environment text null,
        distinct_ids text[] null,
        ids text[] null,
        before timestamptz null,
        created_at timestamptz not null default clock_timestamp(),
        applied_at timestamptz null,
        primary key (sequence)
      )`);
    this.addSql(`create function note_analytics_span(dataset text, project_id uuid, environment text, low bigint, high bigint,
        amount bigint) returns void language plpgsql as $$
      begin
        perform pg_current_xact_id();
        if exists (select from analytics_copy where wanted) then
          insert into analytics_addition (dataset, project_id, environment, low, high, amount)
          values (dataset, project_id, environment, low, high, amount);
        end if;
      end $$`);
    this.addSql(`create function note_analytics_rows(dataset text, ids text[]) returns void language plpgsql as $$
      begin
        perform pg_current_xact_id();
        if exists (select from analytics_copy where wanted) then
          insert into analytics_addition (dataset, ids, amount) values (dataset, ids, cardinality(ids));
        end if;
      end $$`);
    this.addSql(`create function note_analytics_erasure(erasure jsonb) returns void language plpgsql as $$
      begin
        perform pg_current_xact_id();
        if exists (select from analytics_copy) then
          insert into analytics_erasure (dataset, project_id, environment, distinct_ids, ids, before)
          select e.* from jsonb_to_record(erasure) as e(dataset text, project_id uuid, environment text, distinct_ids text[],
            ids text[], before timestamptz);
        end if;
      end $$`);
  }
}
