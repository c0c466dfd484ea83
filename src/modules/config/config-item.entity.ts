import { Entity, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { ObjectType } from 'type-graphql';
import { Column, EnumColumn, IdColumn } from '../../kernel/database/column.js';
import { TextIndex } from '../../kernel/database/indexes.js';
import { newUuid } from '../../kernel/ids.js';
import { Node } from '../../kernel/node.js';
import { GraphNode } from '../access/graph/node.js';
import { EnvironmentEntity } from '../access/projects/project-entities.js';
import type { ItemRule } from './rules/item-rule.js';
import { ConfigValueType, type ValueTypeName } from './value-types.js';

@GraphNode<ConfigItem>({
  view: 'config.item.view',
  actions: ['config.item.change', 'config.item.roll_back', 'config.item.archive'],
})
@ObjectType({ implements: Node, description: 'A remote config value with an append-only history.' })
@Entity({ tableName: 'config_item' })
@TextIndex('config_item_text_index', 'config_item', ['key', 'description'])
@Unique({ name: 'config_item_key_unique', properties: ['projectId', 'environment', 'key'] })
@Index({ name: 'config_item_project_index', properties: ['projectId', 'environment', 'createdAt', 'id'] })
@Index({ name: 'config_item_updated_index', properties: ['projectId', 'environment', 'updatedAt', 'id'] })
@Index({ name: 'config_item_version_index', properties: ['projectId', 'environment', 'currentVersion', 'id'] })
export class ConfigItem extends EnvironmentEntity {
  [OptionalProps]?: 'isArchived';

  @IdColumn('uuid')
  id: string = newUuid();

  @Column('text')
  key!: string;

  @EnumColumn(ConfigValueType)
  type!: ValueTypeName;

  @Column('text', { description: 'Raw text for type string, JSON text for the others.' })
  defaultValue!: string;

  @Column('text')
  description!: string;

  @Column('json', { nullable: true, description: 'JSON Schema that every value must satisfy.' })
  jsonSchema: object | boolean | null = null;

  /** Its rules in order, unless its {@link ConfigRule} says everything. */
  @Property({ type: 'json', columnType: 'json', fieldName: 'rules', nullable: true })
  furtherRules: readonly ItemRule[] | null = null;

  @Column('boolean')
  isArchived: boolean = false;

  @Column('integer')
  currentVersion!: number;

  @Column('Date')
  updatedAt!: Date;
}
