import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { TextArrayType } from '../../../kernel/database/text-array.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';

/** Why a subscription is disabled: an admin did it, its target responded with 410, or nothing succeeded for days. */
export const DisabledReasonType = { by_admin: 'by_admin', gone: 'gone', failing: 'failing' } as const;
export type DisabledReason = keyof typeof DisabledReasonType;
registerEnumType(DisabledReasonType, { name: 'WebhookDisabledReason' });

@GraphNode<WebhookSubscription>({ view: 'webhook.view', actions: ['webhook.manage'] })
@ObjectType({ implements: Node, description: 'A target that receives events in signed POST requests.' })
@Entity({ tableName: 'webhook_subscription' })
@Index({ name: 'webhook_subscription_project_index', properties: ['projectId', 'createdAt', 'id'] })
@Index({
  name: 'webhook_subscription_enabled_index',
  expression:
    'create index "webhook_subscription_enabled_index" on "webhook_subscription" ("organization_id") where is_enabled',
})
export class WebhookSubscription extends DatedEntity {
  [OptionalProps]?: 'description' | 'isEnabled';

  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('whk');

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => String)
  @Property({ type: 'text' })
  url!: string;

  @Field(() => [String], { description: '*, module.*, module.entity.* or kinds of events.' })
  @Property({ type: TextArrayType, columnType: 'text[]' })
  patterns!: string[];

  @Field(() => String)
  @Property({ type: 'text' })
  description: string = '';

  @Field(() => Boolean, { name: 'enabled' })
  @Property({ type: 'boolean' })
  isEnabled: boolean = true;

  @Field(() => String, {
    nullable: true,
    description: 'by_admin, gone (the target responded with 410) or failing.',
    deprecationReason: 'Use `disabledReasonCode`.',
  })
  @Property({ type: 'text', nullable: true })
  disabledReason: DisabledReason | null = null;

  @Field(() => Date, { nullable: true, description: 'The first failed attempt since the last success.' })
  @Property({ type: 'Date', nullable: true })
  failingSince: Date | null = null;

  @Property({ type: 'text' })
  sealedSecret!: string;

  @Property({ type: 'text', nullable: true })
  sealedPreviousSecret: string | null = null;

  @Field(() => Date, { nullable: true, description: 'Until then, the secret before the last rotation signs too.' })
  @Property({ type: 'Date', nullable: true })
  previousSecretUntil: Date | null = null;

  @Field(() => Date)
  @Property({ type: 'Date' })
  updatedAt!: Date;
}
