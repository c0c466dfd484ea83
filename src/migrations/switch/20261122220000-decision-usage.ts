import { Migration } from '@mikro-orm/migrations';

/**
 * How often each outcome of a flag or config item was served per hour, and when last. The row without an object records
 * since when this is counted. Counts are updated in place, so pages reserve room for them.
 */
export class DecisionUsageMigration extends Migration {
  override up(): void {
    this.addSql(`create table decision_usage (
        object_id text not null,
        hour timestamptz not null,
        version int not null,
        outcome text not null,
        count bigint not null,
        primary key (object_id, hour, version, outcome)
      ) with (fillfactor = 70)`);
    this.addSql(`create index decision_usage_hour_index on decision_usage using brin (hour)`);
    this.addSql(`create table decision_use (
        object_id text not null,
        last_at timestamptz not null,
        primary key (object_id)
      ) with (fillfactor = 70)`);
    this.addSql(`insert into decision_use (object_id, last_at) values ('', now())`);
  }
}
