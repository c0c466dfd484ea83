import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { SqlIndex } from '../../../kernel/database/indexes.js';
import { TextArrayType } from '../../../kernel/database/text-array.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { GraphNode } from '../../access/graph/node.js';
import { ProjectEntity } from '../../access/projects/project-entities.js';

/** Why a subscription is disabled: an admin did it, its target responded with 410, or nothing succeeded for days. */
export const DisabledReasonType = enumType('WebhookDisabledReason', ['by_admin', 'gone', 'failing']);
export type DisabledReason = keyof typeof DisabledReasonType;

@GraphNode<WebhookSubscription>({ view: 'webhook.view', actions: ['webhook.manage'] })
@ObjectType({ implements: Node, description: 'A target that receives events in signed POST requests.' })
@Entity({ tableName: 'webhook_subscription' })
@Index({ name: 'webhook_subscription_project_index', properties: ['projectId', 'createdAt', 'id'] })
@SqlIndex('webhook_subscription_enabled_index', '"webhook_subscription" ("organization_id") where is_enabled')
export class WebhookSubscription extends ProjectEntity {
  [OptionalProps]?: 'description' | 'isEnabled';

  @IdColumn('text')
  id: string = newPrefixedId('whk');

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Column('text')
  url!: string;

  @Field(() => [String], { description: '*, module.*, module.entity.* or kinds of events.' })
  @Property({ type: TextArrayType, columnType: 'text[]' })
  patterns!: string[];

  @Column('text')
  description: string = '';

  @Column('boolean', { name: 'enabled' })
  isEnabled: boolean = true;

  @Column('text', {
    nullable: true,
    description: 'by_admin, gone (the target responded with 410) or failing.',
    deprecationReason: 'Use `disabledReasonCode`.',
  })
  @Field(() => DisabledReasonType, { name: 'disabledReasonCode', nullable: true })
  disabledReason: DisabledReason | null = null;

  @Column('Date', {
    nullable: true,
    description:
      'The first failed attempt since the last success; later if there were days without attempts, for example because no worker ran.',
  })
  failingSince: Date | null = null;

  @Property({ type: 'text' })
  sealedSecret!: string;

  @Property({ type: 'text', nullable: true })
  sealedPreviousSecret: string | null = null;

  @Column('Date', { nullable: true, description: 'Until then, the secret before the last rotation signs too.' })
  previousSecretUntil: Date | null = null;

  @Column('Date')
  updatedAt!: Date;
}
