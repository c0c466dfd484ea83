import { Migration } from '@mikro-orm/migrations';

/** Responses whose person was deleted since: their copies among the events are gone with the person's, and none is made any more. */
export class ErasedRespondentsMigration extends Migration {
  override up(): void {
    this.addSql(`alter table survey_response add column is_person_deleted boolean not null default false`);
  }
}
