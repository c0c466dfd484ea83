import { Entity, Enum, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { GraphQLBigInt } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { EnvironmentType } from '../../access/keys/project-key.entity.js';
import { Project } from '../../access/projects/project.entity.js';

const STATUSES = ['open', 'resolved'] as const;
export type IssueStatus = (typeof STATUSES)[number];

export const IssueStatusType = Object.fromEntries(STATUSES.map((status) => [status, status]));
registerEnumType(IssueStatusType, { name: 'CrashIssueStatus' });

export const CRASH_LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const;

export const CrashLevelType = Object.fromEntries(CRASH_LEVELS.map((level) => [level, level]));
registerEnumType(CrashLevelType, { name: 'CrashLevel', description: 'The worst first.' });

@GraphNode<CrashIssue>({ view: 'catch.crash.view', actions: ['catch.issue.resolve'] })
@ObjectType({ implements: Node, description: 'Crash events with the same cause, told by their symbolicated frames.' })
@Entity({ tableName: 'crash_issue' })
@Unique({ name: 'crash_issue_fingerprint_unique', properties: ['projectId', 'environment', 'fingerprint'] })
@Index({ name: 'crash_issue_list_index', properties: ['projectId', 'environment', 'lastSeenAt', 'id'] })
@Index({ name: 'crash_issue_first_seen_index', properties: ['projectId', 'environment', 'firstSeenAt', 'id'] })
@Index({ name: 'crash_issue_count_index', properties: ['projectId', 'environment', 'eventCount', 'id'] })
@Index({
  name: 'crash_issue_text_index',
  expression:
    'create index "crash_issue_text_index" on "crash_issue" using gin ("title" gin_trgm_ops, "culprit" gin_trgm_ops)',
})
export class CrashIssue {
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

  @Field(() => String, { deprecationReason: 'Use severity, which is of an enum.' })
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
}
