import { Entity, Index, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { UuidEntity } from '../../kernel/database/base-entity.js';
import { Column, EnumColumn } from '../../kernel/database/column.js';
import { Node } from '../../kernel/node.js';
import { RedactedBelowEditor } from '../../kernel/values/email-redaction.js';
import { enumType } from '../../kernel/values/enum-type.js';
import { Edge } from '../access/graph/edge.js';
import { User } from '../access/people/user.entity.js';
import { ConfigItem } from './config-item.entity.js';
import { snapshotWithoutEmails } from './rules/item-rule.js';

export const CONFIG_ACTIONS = ['created', 'changed', 'rolled_back'] as const;
export type ConfigAction = (typeof CONFIG_ACTIONS)[number];
const ConfigActionType = enumType('ConfigAction', CONFIG_ACTIONS);

@ObjectType({ implements: Node, description: 'An immutable snapshot of an item and its rule.' })
@Entity({ tableName: 'config_version' })
@Index({ name: 'config_version_created_index', properties: ['itemId', 'createdAt', 'id'] })
@Unique({ name: 'config_version_number_unique', properties: ['itemId', 'versionNumber'] })
export class ConfigVersion extends UuidEntity {
  @Column('uuid')
  itemId!: string;

  @Edge(() => ConfigItem, 'itemId')
  item?: ConfigItem;

  @Column('integer')
  versionNumber!: number;

  @EnumColumn(ConfigActionType)
  action!: ConfigAction;

  @Column('text', { description: 'JSON text for every type.' })
  valueSnapshot!: string;

  @Column('text', {
    nullable: true,
    description: 'JSON text of {cohort, value}, plus rules if there are more; null without any.',
  })
  @RedactedBelowEditor({ redact: snapshotWithoutEmails, projectOf: 'item' })
  ruleSnapshot: string | null = null;

  @Column('text')
  actorId!: string;

  @Edge(() => User, 'actorId', 'Null if a key or the server made the change.')
  actor?: User;

  @Column('text')
  actorEmail!: string;

  @Column('text', { nullable: true })
  note: string | null = null;
}
