import { Migration } from '@mikro-orm/migrations';

/**
 * Responses whose person has been deleted: their event copies are deleted with the person's, and no new ones are
 * created.
 */
export class ErasedRespondentsMigration extends Migration {
  override up(): void {
    this.addSql(`alter table survey_response add column is_person_deleted boolean not null default false`);
  }
}
