import { Migration } from '@mikro-orm/migrations';

/** Rules of cohorts, instead of a predicate or beside a list of ids. */
export class CohortRulesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table cohort add column rules json null`);
  }
}
