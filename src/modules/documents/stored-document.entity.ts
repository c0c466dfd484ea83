import { Entity, Index, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { UuidEntity } from '../../kernel/database/base-entity.js';
import { Column } from '../../kernel/database/column.js';
import { Node } from '../../kernel/node.js';

@ObjectType({
  implements: Node,
  description: 'A GraphQL document used by a version of a client.',
})
@Entity({ tableName: 'stored_document' })
@Unique({ name: 'stored_document_unique', properties: ['app', 'version', 'hash'] })
@Index({ name: 'stored_document_hash_index', properties: ['hash'] })
@Index({ name: 'stored_document_app_index', properties: ['app', 'createdAt', 'id'] })
export class StoredDocument extends UuidEntity {
  @Column('text')
  app!: string;

  @Column('text')
  version!: string;

  @Column('text', { description: 'SHA-256 of the text in hexadecimal; `sha256:` followed by this is the documentId.' })
  hash!: string;

  @Column('text')
  body!: string;
}
