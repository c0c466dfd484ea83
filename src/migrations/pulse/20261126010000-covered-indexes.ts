import { Migration } from '@mikro-orm/migrations';

/** Covered by later indexes that begin with the same column. */
const COVERED = ['survey_response_attributed_index', 'survey_distribution_survey_index'];

/** Drops redundant indexes, concurrently. */
export class CoveredIndexesMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const name of COVERED) this.addSql(`drop index concurrently if exists ${name}`);
  }
}
