import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { SqlIndex } from '../../../kernel/database/indexes.js';
import { TextArrayType } from '../../../kernel/database/text-array.js';
import type { SymbolDetail, TableFormat } from '../../../symbols/conversion/converted-file.js';
import type { SymbolKind } from '../../../symbols/symbol-kinds.js';

/** A stored table of an artifact, and the keys by which events find it. */
@Entity({ tableName: 'symbol_table' })
@Index({ name: 'symbol_table_artifact_index', properties: ['artifactId'] })
@SqlIndex('symbol_table_key_index', '"symbol_table" using gin ("keys")')
@Index({
  name: 'symbol_table_release_index',
  properties: ['projectId', 'environment', 'kind', 'release', 'uploadedAt'],
})
export class SymbolTableRow {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'text' })
  artifactId!: string;

  @Property({ type: 'uuid' })
  projectId!: string;

  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Property({ type: 'text' })
  kind!: SymbolKind;

  @Property({ type: 'text' })
  release!: string;

  @Property({ type: 'text' })
  format!: TableFormat;

  @Property({ type: TextArrayType, columnType: 'text[]' })
  keys!: string[];

  @Property({ type: 'text' })
  arch!: string;

  @Property({ type: 'text' })
  detail!: SymbolDetail;

  @Property({ type: 'json', nullable: true })
  dartSections: { isolate: string | null; vm: string | null } | null = null;

  @Property({ type: 'text' })
  storagePath!: string;

  @Property({ type: 'Date' })
  uploadedAt!: Date;
}
