import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { UuidEntity } from '../../../kernel/database/base-entity.js';
import { Column } from '../../../kernel/database/column.js';
import { Node } from '../../../kernel/node.js';
import { GraphNode } from '../graph/node.js';

@GraphNode<Organization>({
  view: 'organization.view',
  actions: ['organization.update', 'member.manage', 'project.create'],
  projectOf: () => null,
  organizationOf: ({ id }) => id,
})
@ObjectType({ implements: Node, description: 'A company or team. No data crosses its boundary.' })
@Entity({ tableName: 'organization' })
export class Organization extends UuidEntity {
  @Column('text')
  name!: string;
}
