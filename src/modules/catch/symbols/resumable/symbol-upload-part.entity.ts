import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { newUuid } from '../../../../kernel/ids.js';

/** A part of a {@link SymbolUpload} that is stored durably. */
@Entity({ tableName: 'symbol_upload_part' })
@Unique({ name: 'symbol_upload_part_place_unique', properties: ['uploadId', 'position'] })
export class SymbolUploadPart {
  @PrimaryKey({ type: 'uuid' })
  id: string = newUuid();

  @Property({ type: 'text' })
  uploadId!: string;

  /** Where in the file it begins, in bytes. */
  @Property({ type: 'bigint' })
  position!: string;

  @Property({ type: 'int' })
  sizeBytes!: number;

  @Property({ type: 'text' })
  sha256!: string;

  @Property({ type: 'text' })
  storagePath!: string;
}
