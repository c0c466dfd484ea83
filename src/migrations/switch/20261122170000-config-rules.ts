import { Migration } from '@mikro-orm/migrations';

/** The ordered rules of an item, where the single rule of `config_rule` is not enough; null for older items. */
export class ConfigRulesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table config_item add column rules json null`);
  }
}
