import { Migration } from '@mikro-orm/migrations';
import { together } from '../lock-timeout.js';

/**
 * Responses counted by day, answer and score. A response is either uncounted or in the counts, so existing ones start
 * as uncounted; the trigger also covers the previous release. Responses can be submitted while existing ones are noted.
 */
export class ResponseCountsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`create table if not exists survey_count (
        survey_id text not null,
        environment text not null,
        day date not null,
        counts text not null,
        question_id text not null,
        value text not null,
        count bigint not null,
        primary key (survey_id, environment, day, counts, question_id, value)
      )`);
    this.addSql(`create table if not exists survey_response_uncounted (
        survey_id text not null,
        environment text not null,
        response_id text not null,
        primary key (survey_id, environment, response_id)
      )`);
    this.addSql(`create or replace function note_uncounted_responses() returns trigger language plpgsql as $$
      begin
        insert into survey_response_uncounted (survey_id, environment, response_id)
        select survey_id, environment, id from added;
        return null;
      end $$`);
    this.addSql(
      together(`create or replace trigger survey_response_uncounted after insert on survey_response referencing new table as added
        for each statement execute function note_uncounted_responses()`),
    );
    this.addSql(`insert into survey_response_uncounted (survey_id, environment, response_id)
      select survey_id, environment, id from survey_response on conflict do nothing`);
  }
}
