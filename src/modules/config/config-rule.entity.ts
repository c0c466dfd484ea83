import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { UuidEntity } from '../../kernel/database/base-entity.js';
import { Column } from '../../kernel/database/column.js';
import { Node } from '../../kernel/node.js';
import { Edge } from '../access/graph/edge.js';
import { ConfigItem } from './config-item.entity.js';

@ObjectType({ implements: Node, description: 'A different value for the members of a cohort.' })
@Entity({ tableName: 'config_rule' })
export class ConfigRule extends UuidEntity {
  @Field(() => ID)
  @Property({ type: 'uuid', unique: 'config_rule_item_unique' })
  itemId!: string;

  @Edge(() => ConfigItem, 'itemId')
  item?: ConfigItem;

  @Column('text')
  cohort!: string;

  @Column('text')
  value!: string;

  @Column('Date')
  updatedAt!: Date;
}
