import { Entity, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, ID, ObjectType } from 'type-graphql';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { SqlIndex, TextIndex } from '../../../kernel/database/indexes.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { User } from '../../access/people/user.entity.js';
import { UndatedEnvironmentEntity } from '../../access/projects/project-entities.js';
import { CRASH_LEVELS } from './crash-levels.js';

const STATUSES = ['open', 'resolved'] as const;
export type IssueStatus = (typeof STATUSES)[number];

export const IssueStatusType = enumType('CrashIssueStatus', STATUSES);

export const CrashLevelType = enumType('CrashLevel', CRASH_LEVELS, { description: 'Most severe first.' });

@GraphNode<CrashIssue>({
  view: 'catch.crash.view',
  actions: ['catch.issue.resolve', 'catch.issue.triage', 'catch.crash.reprocess'],
})
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
@SqlIndex(
  'crash_issue_seen_index',
  '"crash_issue" ("project_id", "environment", "last_seen_at", "id") include ("status", "merged_into_id")',
)
@Index({ name: 'crash_issue_status_index', properties: ['projectId', 'environment', 'status'] })
@Index({ name: 'crash_issue_ignored_index', properties: ['projectId', 'environment', 'ignored'] })
@Index({ name: 'crash_issue_level_index', properties: ['projectId', 'environment', 'level'] })
@Index({ name: 'crash_issue_first_seen_index', properties: ['projectId', 'environment', 'firstSeenAt', 'id'] })
@Index({ name: 'crash_issue_resolved_index', properties: ['projectId', 'environment', 'resolvedAt', 'id'] })
@Index({ name: 'crash_issue_count_index', properties: ['projectId', 'environment', 'eventCount', 'id'] })
@TextIndex('crash_issue_text_index', 'crash_issue', ['title', 'culprit'])
@SqlIndex('crash_issue_merged_index', '"crash_issue" ("merged_into_id") where "merged_into_id" is not null')
export class CrashIssue extends UndatedEnvironmentEntity {
  [OptionalProps]?: 'ignored';

  @IdColumn('text')
  id: string = newPrefixedId('iss');

  @Property({ type: 'text' })
  fingerprint!: string;

  @Column('text')
  @RedactedBelowEditor()
  title!: string;

  @Column('text', { description: 'The function it happened in, as far as known.' })
  @RedactedBelowEditor()
  culprit!: string;

  @Column('text')
  @RedactedBelowEditor()
  platform!: string;

  @Column('text', { deprecationReason: 'Use severity, which is an enum.' })
  @Field(() => CrashLevelType, { name: 'severity' })
  level!: string;

  @EnumColumn(IssueStatusType)
  status!: IssueStatus;

  @Column('bigint')
  eventCount!: string;

  @Column('Date')
  firstSeenAt!: Date;

  @Column('Date')
  lastSeenAt!: Date;

  @Column('text', { nullable: true })
  @RedactedBelowEditor()
  firstRelease: string | null = null;

  @Column('text', { nullable: true })
  @RedactedBelowEditor()
  lastRelease: string | null = null;

  @Column('Date', { nullable: true })
  resolvedAt: Date | null = null;

  @Field(() => Boolean, { description: 'It is open but ignored: alert rules do not fire for it.' })
  @Property({ type: 'boolean', default: false })
  ignored = false;

  @Column('Date', { nullable: true })
  ignoredAt: Date | null = null;

  @Column('Date', { nullable: true, description: 'The first event after this time reopens it.' })
  ignoredUntil: Date | null = null;

  @Column('bigint', { nullable: true, description: 'The event with this number reopens it.' })
  ignoredUntilCount: string | null = null;

  @Column('uuid', { nullable: true })
  assigneeId: string | null = null;

  @Edge(() => User, 'assigneeId', 'The member assigned to it.')
  assignee?: User;

  /** Its events still refer to it, and it counts them as before; the other issue counts them too. */
  @Column('text', { as: () => ID, nullable: true })
  mergedIntoId: string | null = null;

  @Edge(() => CrashIssue, 'mergedIntoId', 'The issue it was merged into; lists leave it out.')
  mergedInto?: CrashIssue;
}
