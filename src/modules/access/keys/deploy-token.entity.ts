import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { newUuid } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { GraphNode } from '../graph/node.js';
import { ProjectEntity } from '../projects/project-entities.js';

@GraphNode<DeployToken>({ view: 'deploy_token.manage', actions: ['deploy_token.manage'] })
@ObjectType({
  implements: Node,
  description: 'A token for deployment scripts. The secret itself is shown only once, when it is created.',
})
@Entity({ tableName: 'deploy_token' })
@Index({ name: 'deploy_token_list_index', properties: ['projectId', 'createdAt', 'id'] })
@Index({ name: 'deploy_token_name_index', properties: ['projectId', 'name', 'id'] })
export class DeployToken extends ProjectEntity {
  @IdColumn('uuid')
  id: string = newUuid();

  @Column('text')
  name!: string;

  @Property({ type: 'text', unique: 'deploy_token_hash_unique' })
  hash!: string;

  @Column('text', { description: 'Start and end of the secret, to tell tokens apart.' })
  hint!: string;

  @Column('Date', { nullable: true })
  lastUsedAt: Date | null = null;

  @Column('Date', { nullable: true })
  revokedAt: Date | null = null;
}
