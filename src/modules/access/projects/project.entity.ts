import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, ObjectType } from 'type-graphql';
import { UuidEntity } from '../../../kernel/database/base-entity.js';
import { Column } from '../../../kernel/database/column.js';
import { TextIndex } from '../../../kernel/database/indexes.js';
import { TextArrayType } from '../../../kernel/database/text-array.js';
import { Node } from '../../../kernel/node.js';
import { PROJECT_ACTIONS } from '../actions.js';
import { Edge } from '../graph/edge.js';
import { GraphNode } from '../graph/node.js';
import { Organization } from './organization.entity.js';
import { SwitchableModule } from './switchable-modules.js';

@GraphNode<Project>({
  view: 'project.view',
  actions: PROJECT_ACTIONS.filter((action) => !action.endsWith('.view')),
  projectOf: ({ id }) => id,
})
@ObjectType({ implements: Node, description: 'An application with two environments, live and test.' })
@Entity({ tableName: 'project' })
@TextIndex('project_text_index', 'project', ['name'])
@Index({ name: 'project_list_index', properties: ['organizationId', 'createdAt', 'id'] })
@Index({ name: 'project_updated_index', properties: ['organizationId', 'updatedAt', 'id'] })
@Index({ name: 'project_name_index', properties: ['organizationId', 'name', 'id'] })
export class Project extends UuidEntity {
  [OptionalProps]?: 'authorizedOrigins' | 'authorizedAddresses' | 'disabledModules' | 'billingSuspended';

  @Column('uuid')
  organizationId!: string;

  @Edge(() => Organization, 'organizationId')
  organization?: Organization;

  @Column('text')
  name!: string;

  @Field(() => [String], { description: 'Origins that browsers may call from; an empty list allows all.' })
  @Property({ type: TextArrayType, columnType: 'text[]' })
  authorizedOrigins: string[] = [];

  @Field(() => [String], {
    description: 'Addresses or CIDR ranges for callers without an origin; an empty list allows all.',
  })
  @Property({ type: TextArrayType, columnType: 'text[]' })
  authorizedAddresses: string[] = [];

  @Field(() => [String], {
    description: 'Modules that are switched off.',
    deprecationReason: 'Use switchedOffModules, which is a list of an enum.',
  })
  @Field(() => [SwitchableModule], { name: 'switchedOffModules' })
  @Property({ type: TextArrayType, columnType: 'text[]' })
  disabledModules: string[] = [];

  @Column('boolean', { description: 'While true, no key can halt a flag; nothing else is refused.' })
  billingSuspended: boolean = false;

  @Column('Date')
  updatedAt!: Date;
}
