import { Entity, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { UuidEntity } from '../../kernel/database/base-entity.js';
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
  @Field(() => String)
  @Property({ type: 'text' })
  app!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  version!: string;

  @Field(() => String, {
    description: 'SHA-256 of the text in hexadecimal; `sha256:` followed by this is the documentId.',
  })
  @Property({ type: 'text' })
  hash!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  body!: string;
}
