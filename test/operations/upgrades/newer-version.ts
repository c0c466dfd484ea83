/**
 * Loaded before `main.js` (`node --import`), turns it into a newer version of the product: the same code with three
 * more migrations, written the way their authors are asked to.
 */
import { Migration } from '@mikro-orm/migrations';
import { MIGRATIONS } from '../../../src/migrations/all-migrations.js';

class ColumnMigration extends Migration {
  override up(): void {
    this.addSql('alter table config_item add column upgrade_note text null');
    this.addSql('alter table event add column upgrade_note text null');
  }
}

class TableMigration extends Migration {
  override up(): void {
    this.addSql('create table upgrade_note (id uuid primary key, project_id uuid not null references project (id))');
  }
}

class IndexMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('create index concurrently upgrade_note_index on event_log (organization_id, created_at, id)');
  }
}

MIGRATIONS.push(
  { name: '20990101000000-column', class: ColumnMigration },
  { name: '20990101000001-table', class: TableMigration },
  { name: '20990101000002-index', class: IndexMigration },
);
