import { Entity, Enum, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { UuidEntity } from '../../kernel/database/base-entity.js';
import { Node } from '../../kernel/node.js';
import { RedactedBelowEditor } from '../../kernel/values/email-redaction.js';
import { Edge } from '../access/graph/edge.js';
import { User } from '../access/people/user.entity.js';
import { ConfigItem } from './config-item.entity.js';
import { snapshotWithoutEmails } from './rules/item-rule.js';

export const CONFIG_ACTIONS = ['created', 'changed', 'rolled_back'] as const;
export type ConfigAction = (typeof CONFIG_ACTIONS)[number];
const ConfigActionType = { created: 'created', changed: 'changed', rolled_back: 'rolled_back' } as const;
registerEnumType(ConfigActionType, { name: 'ConfigAction' });

@ObjectType({ implements: Node, description: 'An immutable snapshot of an item and its rule.' })
@Entity({ tableName: 'config_version' })
@Index({ name: 'config_version_created_index', properties: ['itemId', 'createdAt', 'id'] })
@Unique({ name: 'config_version_number_unique', properties: ['itemId', 'versionNumber'] })
export class ConfigVersion extends UuidEntity {
  @Field(() => ID)
  @Property({ type: 'uuid' })
  itemId!: string;

  @Edge(() => ConfigItem, 'itemId')
  item?: ConfigItem;

  @Field(() => Int)
  @Property({ type: 'integer' })
  versionNumber!: number;

  @Field(() => ConfigActionType)
  @Enum({ items: () => [...CONFIG_ACTIONS], type: 'text' })
  action!: ConfigAction;

  @Field(() => String, { description: 'JSON text for every type.' })
  @Property({ type: 'text' })
  valueSnapshot!: string;

  @Field(() => String, {
    nullable: true,
    description: 'JSON text of {cohort, value}, plus rules if there are more; null without any.',
  })
  @RedactedBelowEditor({ redact: snapshotWithoutEmails, projectOf: 'item' })
  @Property({ type: 'text', nullable: true })
  ruleSnapshot: string | null = null;

  @Field(() => String)
  @Property({ type: 'text' })
  actorId!: string;

  @Edge(() => User, 'actorId', 'Null if a key or the server made the change.')
  actor?: User;

  @Field(() => String)
  @Property({ type: 'text' })
  actorEmail!: string;

  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  note: string | null = null;
}
