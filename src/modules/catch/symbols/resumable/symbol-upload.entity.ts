import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { ENVIRONMENTS, type Environment } from '../../../../kernel/actor.js';
import { newPrefixedId } from '../../../../kernel/ids.js';
import { SYMBOL_KINDS, type SymbolKind } from '../../../../symbols/symbol-kinds.js';

/** A symbol file being uploaded in parts: what it will be, and how long the server keeps its parts. */
@Entity({ tableName: 'symbol_upload' })
@Index({ name: 'symbol_upload_project_index', properties: ['projectId'] })
@Index({ name: 'symbol_upload_expiry_index', properties: ['expiresAt'] })
export class SymbolUpload {
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('upl');

  @Property({ type: 'uuid' })
  projectId!: string;

  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Enum({ items: () => Object.keys(SYMBOL_KINDS), type: 'text' })
  kind!: SymbolKind;

  @Property({ type: 'text' })
  release!: string;

  @Property({ type: 'text' })
  matchKey!: string;

  /** Like {@link SymbolArtifact.place}. */
  @Property({ type: 'text' })
  place!: string;

  @Property({ type: 'text', nullable: true })
  commitSha: string | null = null;

  @Property({ type: 'text' })
  originalName!: string;

  @Property({ type: 'bigint' })
  sizeBytes!: string;

  /** Of the whole file, as declared. */
  @Property({ type: 'text' })
  sha256!: string;

  @Property({ type: 'Date' })
  createdAt!: Date;

  @Property({ type: 'Date' })
  expiresAt!: Date;
}
