import { Migration } from '@mikro-orm/migrations';

/** Cohort rules, instead of a predicate or in addition to a list of ids. */
export class CohortRulesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table cohort add column rules json null`);
  }
}
