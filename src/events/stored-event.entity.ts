import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Environment } from '../kernel/actor.js';
import { newPrefixedId } from '../kernel/ids.js';
import { Node } from '../kernel/node.js';
import { RedactedBelowEditor } from '../kernel/values/email-redaction.js';

/** One row for a change's audit entry, webhook and jobs, written in the change's own transaction. */
@ObjectType('AuditEntry', { implements: Node, description: 'What changed, who changed it, when and from where.' })
@Entity({ tableName: 'event_log' })
@Index({ name: 'event_log_organization_index', properties: ['organizationId', 'sequence'] })
@Index({ name: 'event_log_project_index', properties: ['projectId', 'sequence'] })
@Index({ name: 'event_log_object_index', properties: ['objectId', 'sequence'] })
@Index({ name: 'event_log_actor_index', properties: ['organizationId', 'actorId', 'sequence'] })
@Index({ name: 'event_log_kind_index', properties: ['organizationId', 'kind', 'sequence'] })
@Index({ name: 'event_log_project_kind_index', properties: ['projectId', 'kind', 'sequence'] })
@Index({ name: 'event_log_object_type_index', properties: ['organizationId', 'objectType', 'sequence'] })
@Index({ name: 'event_log_environment_index', properties: ['organizationId', 'environment', 'sequence'] })
@Index({ name: 'event_log_time_index', properties: ['organizationId', 'createdAt'] })
@Index({
  name: 'event_log_undispatched_kind_index',
  expression:
    'create index "event_log_undispatched_kind_index" on "event_log" ("kind", "sequence") where dispatched_at is null',
})
export class StoredEvent {
  [OptionalProps]?: 'sequence';

  /** Also the `webhook-id` of its deliveries. */
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('evt');

  /** Insertion order, with possible gaps. */
  @Property({ type: 'bigint', generated: 'identity' })
  sequence!: string;

  @Field(() => String, { description: 'Kind of the event, for example config.item.rolled_back.' })
  @Property({ type: 'text' })
  kind!: string;

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Field(() => ID, { nullable: true })
  @Property({ type: 'uuid', nullable: true })
  projectId: string | null = null;

  @Field(() => String, { nullable: true, deprecationReason: 'Use inEnvironment, which is an enum.' })
  @Property({ type: 'text', nullable: true })
  environment: Environment | null = null;

  @Field(() => String)
  @Property({ type: 'text' })
  objectType!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  objectId!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  actorId!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  actorEmail!: string;

  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  address: string | null = null;

  @Field(() => String)
  @Property({ type: 'text' })
  requestId!: string;

  @Field(() => GraphQLJSON, { description: 'The payload that subscribers receive.' })
  @RedactedBelowEditor()
  @Property({ type: 'json' })
  data!: Record<string, unknown>;

  @Field(() => GraphQLJSON, { nullable: true })
  @RedactedBelowEditor()
  @Property({ type: 'json', nullable: true })
  before: unknown = null;

  @Field(() => GraphQLJSON, { nullable: true })
  @RedactedBelowEditor()
  @Property({ type: 'json', nullable: true })
  after: unknown = null;

  @Field(() => Date)
  @Property({ type: 'Date' })
  createdAt!: Date;

  /** When its reactions ran; null while they are pending. */
  @Property({ type: 'Date', nullable: true })
  dispatchedAt: Date | null = null;

  /** Not before this instant, after a reaction failed. */
  @Property({ type: 'Date', nullable: true })
  dispatchAfter: Date | null = null;
}
