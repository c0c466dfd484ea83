import { Migration } from '@mikro-orm/migrations';

/** GraphQL documents that versions of clients run. */
export class StoredDocumentsMigration extends Migration {
  override up(): void {
    this.addSql(`create table stored_document (
        id uuid primary key,
        created_at timestamptz not null,
        app text not null,
        version text not null,
        hash text not null,
        body text not null,
        constraint stored_document_unique unique (app, version, hash)
      )`);
    this.addSql(`create index stored_document_hash_index on stored_document (hash)`);
    this.addSql(`create index stored_document_app_index on stored_document (app, created_at, id)`);
  }
}
