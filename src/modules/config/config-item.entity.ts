import { Entity, Enum, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../kernel/actor.js';
import { UuidEntity } from '../../kernel/database/base-entity.js';
import { Node } from '../../kernel/node.js';
import { EnvironmentType } from '../access/environment.js';
import { Edge } from '../access/graph/edge.js';
import { GraphNode } from '../access/graph/node.js';
import { Project } from '../access/projects/project.entity.js';
import type { ItemRule } from './rules/item-rule.js';
import { ConfigValueType, VALUE_TYPE_NAMES, type ValueTypeName } from './value-types.js';

@GraphNode<ConfigItem>({
  view: 'config.item.view',
  actions: ['config.item.change', 'config.item.roll_back', 'config.item.archive'],
})
@ObjectType({ implements: Node, description: 'A remote config value with an append-only history.' })
@Entity({ tableName: 'config_item' })
@Index({
  name: 'config_item_text_index',
  expression:
    'create index "config_item_text_index" on "config_item" using gin ("key" gin_trgm_ops, "description" gin_trgm_ops)',
})
@Unique({ name: 'config_item_key_unique', properties: ['projectId', 'environment', 'key'] })
@Index({ name: 'config_item_project_index', properties: ['projectId', 'environment', 'createdAt', 'id'] })
@Index({ name: 'config_item_updated_index', properties: ['projectId', 'environment', 'updatedAt', 'id'] })
@Index({ name: 'config_item_version_index', properties: ['projectId', 'environment', 'currentVersion', 'id'] })
export class ConfigItem extends UuidEntity {
  [OptionalProps]?: 'isArchived';

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
  key!: string;

  @Field(() => ConfigValueType)
  @Enum({ items: () => [...VALUE_TYPE_NAMES], type: 'text' })
  type!: ValueTypeName;

  @Field(() => String, { description: 'Raw text for type string, JSON text for the others.' })
  @Property({ type: 'text' })
  defaultValue!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  description!: string;

  @Field(() => GraphQLJSON, { nullable: true, description: 'JSON Schema that every value must satisfy.' })
  @Property({ type: 'json', nullable: true })
  jsonSchema: object | boolean | null = null;

  /** Its rules in order, unless its {@link ConfigRule} says everything. */
  @Property({ type: 'json', columnType: 'json', fieldName: 'rules', nullable: true })
  furtherRules: readonly ItemRule[] | null = null;

  @Field(() => Boolean)
  @Property({ type: 'boolean' })
  isArchived: boolean = false;

  @Field(() => Int)
  @Property({ type: 'integer' })
  currentVersion!: number;

  @Field(() => Date)
  @Property({ type: 'Date' })
  updatedAt!: Date;
}
