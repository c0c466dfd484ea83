import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, ID, ObjectType } from 'type-graphql';
import { UuidEntity } from '../../../kernel/base-entity.js';
import { TextArrayType } from '../../../kernel/text-array.js';
import { GraphNode, Node } from '../graph/node.js';

@GraphNode<Project>({
  view: 'project.view',
  actions: ['project.update', 'key.manage', 'webhook.manage'],
  projectOf: ({ id }) => id,
})
@ObjectType({ implements: Node, description: 'An application with its two environments, live and test.' })
@Entity({ tableName: 'project' })
export class Project extends UuidEntity {
  [OptionalProps]?: 'authorizedOrigins' | 'authorizedAddresses' | 'disabledModules' | 'billingSuspended';

  @Field(() => ID)
  @Property({ type: 'uuid', index: 'project_organization_index' })
  organizationId!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  @Field(() => [String], { description: 'Origins that browsers may call from; an empty list allows all.' })
  @Property({ type: TextArrayType, columnType: 'text[]' })
  authorizedOrigins: string[] = [];

  @Field(() => [String], {
    description: 'Addresses or CIDR ranges of callers without an origin; an empty list allows all.',
  })
  @Property({ type: TextArrayType, columnType: 'text[]' })
  authorizedAddresses: string[] = [];

  @Field(() => [String], { description: 'Modules that are switched off.' })
  @Property({ type: TextArrayType, columnType: 'text[]' })
  disabledModules: string[] = [];

  @Field(() => Boolean)
  @Property({ type: 'boolean' })
  billingSuspended: boolean = false;

  @Field(() => Date)
  @Property({ type: 'Date' })
  updatedAt!: Date;
}
