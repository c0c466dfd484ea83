import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { ObjectType } from 'type-graphql';
import type { Environment } from '../kernel/actor.js';
import { Column, IdColumn } from '../kernel/database/column.js';
import { SqlIndex } from '../kernel/database/indexes.js';
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
@SqlIndex('event_log_actor_token_index', '"event_log" ("actor_token_id", "sequence") where actor_token_id is not null')
@Index({ name: 'event_log_kind_index', properties: ['organizationId', 'kind', 'sequence'] })
@Index({ name: 'event_log_project_kind_index', properties: ['projectId', 'kind', 'sequence'] })
@Index({ name: 'event_log_object_type_index', properties: ['organizationId', 'objectType', 'sequence'] })
@Index({ name: 'event_log_environment_index', properties: ['organizationId', 'environment', 'sequence'] })
@Index({ name: 'event_log_time_index', properties: ['organizationId', 'createdAt'] })
@SqlIndex('event_log_undispatched_kind_index', '"event_log" ("kind", "sequence") where dispatched_at is null')
export class StoredEvent {
  [OptionalProps]?: 'sequence';

  /** Also the `webhook-id` of its deliveries. */
  @IdColumn('text')
  id: string = newPrefixedId('evt');

  /** Insertion order, with possible gaps. */
  @Property({ type: 'bigint', generated: 'identity' })
  sequence!: string;

  @Column('text', { description: 'Kind of the event, for example config.item.rolled_back.' })
  kind!: string;

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Column('uuid', { nullable: true })
  projectId: string | null = null;

  @Column('text', { nullable: true, deprecationReason: 'Use inEnvironment, which is an enum.' })
  environment: Environment | null = null;

  @Column('text')
  objectType!: string;

  @Column('text')
  objectId!: string;

  @Column('text')
  actorId!: string;

  @Column('text')
  actorEmail!: string;

  @Column('uuid', { nullable: true, description: 'The API token by which the actor did it; null for a session.' })
  actorTokenId: string | null = null;

  @Column('text', { nullable: true, description: 'As that token was called; it stays when the token is gone.' })
  actorTokenName: string | null = null;

  @Column('text', { nullable: true })
  address: string | null = null;

  @Column('text')
  requestId!: string;

  @Column('json', { description: 'The payload that subscribers receive.' })
  @RedactedBelowEditor()
  data!: Record<string, unknown>;

  @Column('json', { nullable: true })
  @RedactedBelowEditor()
  before: unknown = null;

  @Column('json', { nullable: true })
  @RedactedBelowEditor()
  after: unknown = null;

  @Column('Date')
  createdAt!: Date;

  /** When its reactions ran; null while they are pending. */
  @Property({ type: 'Date', nullable: true })
  dispatchedAt: Date | null = null;

  /** Not before this instant, after a reaction failed. */
  @Property({ type: 'Date', nullable: true })
  dispatchAfter: Date | null = null;
}
