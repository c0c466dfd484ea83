import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { TextArrayType } from '../../../kernel/database/text-array.js';
import { newUuid } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { GraphNode } from '../graph/node.js';
import { EnvironmentEntity } from '../projects/project-entities.js';
import { KEY_SCOPES } from './key-scopes.js';

export const KeyScopeType = enumType('KeyScope', KEY_SCOPES, { description: 'A permission of a project key.' });

@GraphNode<ProjectKey>({ view: 'key.view', actions: ['key.manage'] })
@ObjectType({
  implements: Node,
  description: 'A key that SDKs send as x-api-key. The secret itself is shown only once, when it is created.',
})
@Entity({ tableName: 'project_key' })
@Index({ name: 'project_key_list_index', properties: ['projectId', 'createdAt', 'id'] })
@Index({ name: 'project_key_name_index', properties: ['projectId', 'name', 'id'] })
export class ProjectKey extends EnvironmentEntity {
  @IdColumn('uuid')
  id: string = newUuid();

  @Column('text')
  name!: string;

  /** SHA-256 of the secret: it has 190 random bits, so a slow hash would add nothing. */
  @Property({ type: 'text', unique: 'project_key_hash_unique' })
  hash!: string;

  @Column('text', { description: 'Start and end of the secret, to tell keys apart.' })
  hint!: string;

  @Field(() => [String], { deprecationReason: 'Use grantedScopes, which is a list of an enum.' })
  @Field(() => [KeyScopeType], { name: 'grantedScopes' })
  @Property({ type: TextArrayType, columnType: 'text[]' })
  scopes!: string[];

  @Column('integer', {
    nullable: true,
    description: 'Requests per wall-clock minute on routes without their own limit.',
  })
  rateLimit: number | null = null;

  @Column('Date', { nullable: true, description: 'Last use, accurate to a minute.' })
  lastUsedAt: Date | null = null;

  @Column('Date', { nullable: true })
  revokedAt: Date | null = null;
}
