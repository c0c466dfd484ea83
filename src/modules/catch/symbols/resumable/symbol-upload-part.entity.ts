import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { newUuid } from '../../../../kernel/ids.js';

/** A durably stored part of a {@link SymbolUpload}. */
@Entity({ tableName: 'symbol_upload_part' })
@Unique({ name: 'symbol_upload_part_place_unique', properties: ['uploadId', 'position'] })
export class SymbolUploadPart {
  @PrimaryKey({ type: 'uuid' })
  id: string = newUuid();

  @Property({ type: 'text' })
  uploadId!: string;

  /** Offset of the part in the file, in bytes. */
  @Property({ type: 'bigint' })
  position!: string;

  @Property({ type: 'int' })
  sizeBytes!: number;

  @Property({ type: 'text' })
  sha256!: string;

  @Property({ type: 'text' })
  storagePath!: string;
}
