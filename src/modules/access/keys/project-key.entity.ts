import { Entity, Enum, Index, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { UuidEntity } from '../../../kernel/database/base-entity.js';
import { TextArrayType } from '../../../kernel/database/text-array.js';
import { Node } from '../../../kernel/node.js';
import { EnvironmentType } from '../environment.js';
import { Edge } from '../graph/edge.js';
import { GraphNode } from '../graph/node.js';
import { Project } from '../projects/project.entity.js';
import { KEY_SCOPES, type KeyScope } from './key-scopes.js';

export const KeyScopeType = Object.fromEntries(KEY_SCOPES.map((scope) => [scope, scope])) as { [S in KeyScope]: S };
registerEnumType(KeyScopeType, { name: 'KeyScope', description: 'A permission of a project key.' });

@GraphNode<ProjectKey>({ view: 'key.view', actions: ['key.manage'] })
@ObjectType({
  implements: Node,
  description: 'A key that SDKs send as x-api-key. The secret itself is shown only once, when it is created.',
})
@Entity({ tableName: 'project_key' })
@Index({ name: 'project_key_list_index', properties: ['projectId', 'createdAt', 'id'] })
@Index({ name: 'project_key_name_index', properties: ['projectId', 'name', 'id'] })
export class ProjectKey extends UuidEntity {
  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  /** SHA-256 of the secret: it has 190 random bits, so a slow hash would add nothing. */
  @Property({ type: 'text', unique: 'project_key_hash_unique' })
  hash!: string;

  @Field(() => String, { description: 'Start and end of the secret, to tell keys apart.' })
  @Property({ type: 'text' })
  hint!: string;

  @Field(() => [String], { deprecationReason: 'Use grantedScopes, which is a list of an enum.' })
  @Property({ type: TextArrayType, columnType: 'text[]' })
  scopes!: string[];

  @Field(() => Int, {
    nullable: true,
    description: 'Requests per wall-clock minute on routes without their own limit.',
  })
  @Property({ type: 'integer', nullable: true })
  rateLimit: number | null = null;

  @Field(() => Date, { nullable: true, description: 'Last use, accurate to a minute.' })
  @Property({ type: 'Date', nullable: true })
  lastUsedAt: Date | null = null;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  revokedAt: Date | null = null;
}
