import { Migration } from '@mikro-orm/migrations';

/** The ordered rules of an item where the one rule of `config_rule` does not say all; null for items from before. */
export class ConfigRulesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table config_item add column rules json null`);
  }
}
