import { Entity, Enum, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { GraphQLBigInt } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { User } from '../../access/people/user.entity.js';
import { Project } from '../../access/projects/project.entity.js';
import { CRASH_LEVELS } from './crash-levels.js';

const STATUSES = ['open', 'resolved'] as const;
export type IssueStatus = (typeof STATUSES)[number];

export const IssueStatusType = Object.fromEntries(STATUSES.map((status) => [status, status]));
registerEnumType(IssueStatusType, { name: 'CrashIssueStatus' });

export const CrashLevelType = Object.fromEntries(CRASH_LEVELS.map((level) => [level, level]));
registerEnumType(CrashLevelType, { name: 'CrashLevel', description: 'Most severe first.' });

@GraphNode<CrashIssue>({ view: 'catch.crash.view', actions: ['catch.issue.resolve', 'catch.issue.triage'] })
@ObjectType({
  implements: Node,
  description: 'Crash events with the same cause, grouped by their symbolicated frames.',
})
@Entity({ tableName: 'crash_issue' })
@Unique({ name: 'crash_issue_fingerprint_unique', properties: ['projectId', 'environment', 'fingerprint'] })
@Index({
  name: 'crash_issue_assignee_index',
  properties: ['projectId', 'environment', 'assigneeId', 'lastSeenAt', 'id'],
})
@Index({
  name: 'crash_issue_seen_index',
  expression:
    'create index "crash_issue_seen_index" on "crash_issue" ("project_id", "environment", "last_seen_at", "id") include ("status", "merged_into_id")',
})
@Index({ name: 'crash_issue_status_index', properties: ['projectId', 'environment', 'status'] })
@Index({ name: 'crash_issue_ignored_index', properties: ['projectId', 'environment', 'ignored'] })
@Index({ name: 'crash_issue_level_index', properties: ['projectId', 'environment', 'level'] })
@Index({ name: 'crash_issue_first_seen_index', properties: ['projectId', 'environment', 'firstSeenAt', 'id'] })
@Index({ name: 'crash_issue_resolved_index', properties: ['projectId', 'environment', 'resolvedAt', 'id'] })
@Index({ name: 'crash_issue_count_index', properties: ['projectId', 'environment', 'eventCount', 'id'] })
@Index({
  name: 'crash_issue_text_index',
  expression:
    'create index "crash_issue_text_index" on "crash_issue" using gin ("title" gin_trgm_ops, "culprit" gin_trgm_ops)',
})
@Index({
  name: 'crash_issue_merged_index',
  expression:
    'create index "crash_issue_merged_index" on "crash_issue" ("merged_into_id") where "merged_into_id" is not null',
})
export class CrashIssue {
  [OptionalProps]?: 'ignored';

  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('iss');

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Property({ type: 'text' })
  fingerprint!: string;

  @Field(() => String)
  @RedactedBelowEditor()
  @Property({ type: 'text' })
  title!: string;

  @Field(() => String, { description: 'The function it happened in, as far as known.' })
  @RedactedBelowEditor()
  @Property({ type: 'text' })
  culprit!: string;

  @Field(() => String)
  @RedactedBelowEditor()
  @Property({ type: 'text' })
  platform!: string;

  @Field(() => String, { deprecationReason: 'Use severity, which is an enum.' })
  @Property({ type: 'text' })
  level!: string;

  @Field(() => CrashLevelType)
  severity?: string;

  @Field(() => IssueStatusType)
  @Enum({ items: () => [...STATUSES], type: 'text' })
  status!: IssueStatus;

  @Field(() => GraphQLBigInt)
  @Property({ type: 'bigint' })
  eventCount!: string;

  @Field(() => Date)
  @Property({ type: 'Date' })
  firstSeenAt!: Date;

  @Field(() => Date)
  @Property({ type: 'Date' })
  lastSeenAt!: Date;

  @Field(() => String, { nullable: true })
  @RedactedBelowEditor()
  @Property({ type: 'text', nullable: true })
  firstRelease: string | null = null;

  @Field(() => String, { nullable: true })
  @RedactedBelowEditor()
  @Property({ type: 'text', nullable: true })
  lastRelease: string | null = null;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  resolvedAt: Date | null = null;

  @Field(() => Boolean, { description: 'It is open but ignored: alert rules do not fire for it.' })
  @Property({ type: 'boolean', default: false })
  ignored = false;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  ignoredAt: Date | null = null;

  @Field(() => Date, { nullable: true, description: 'The first event after this time reopens it.' })
  @Property({ type: 'Date', nullable: true })
  ignoredUntil: Date | null = null;

  @Field(() => GraphQLBigInt, { nullable: true, description: 'The event with this number reopens it.' })
  @Property({ type: 'bigint', nullable: true })
  ignoredUntilCount: string | null = null;

  @Field(() => ID, { nullable: true })
  @Property({ type: 'uuid', nullable: true })
  assigneeId: string | null = null;

  @Edge(() => User, 'assigneeId', 'The member assigned to it.')
  assignee?: User;

  /** Its events still refer to it, and it counts them as before; the other issue counts them too. */
  @Field(() => ID, { nullable: true })
  @Property({ type: 'text', nullable: true })
  mergedIntoId: string | null = null;

  @Edge(() => CrashIssue, 'mergedIntoId', 'The issue it was merged into; lists leave it out.')
  mergedInto?: CrashIssue;
}
