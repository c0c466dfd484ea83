import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

const beginning = (key: string) =>
  `person (project_id, environment, left(lower(properties->>'${key}'), 400) text_pattern_ops) where properties->>'${key}' is not null`;

/** People are found by the beginning of their e-mail address and name; the whole of it could be too long for an index, and was refused. */
export class PersonBeginningsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    addIndexes(this, { person_email_index: beginning('email'), person_name_index: beginning('name') });
  }
}
