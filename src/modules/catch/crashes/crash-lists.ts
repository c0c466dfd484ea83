import { ArgsType, Field, ID } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { BooleanFilter, enumFilter, IdFilter, InstantFilter, IntFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf } from '../../../kernel/paging.js';
import { EnvironmentType } from '../../access/environment.js';
import { CrashIssue, CrashLevelType, type IssueStatus, IssueStatusType } from '../issues/crash-issue.entity.js';
import { CrashEvent, CrashEventStatusType } from './crash-event.entity.js';

const LevelFilter = enumFilter(CrashLevelType, 'CrashLevel');

export const CRASH_ISSUES = listOf(CrashIssue, {
  owner: 'projectId',
  parts: ['environment'],
  orders: { lastSeenAt: ['lastSeenAt'], firstSeenAt: ['firstSeenAt'], eventCount: ['eventCount'] },
  usualOrder: { field: 'lastSeenAt', direction: 'desc' },
  filters: {
    status: enumFilter(IssueStatusType, 'CrashIssueStatus'),
    ignored: BooleanFilter,
    assigneeId: IdFilter,
    level: LevelFilter,
    eventCount: IntFilter,
    firstSeenAt: InstantFilter,
    lastSeenAt: InstantFilter,
    resolvedAt: InstantFilter,
  },
  found: ['status', 'ignored', 'level'],
  search: ['title', 'culprit'],
});

@ArgsType()
export class CrashIssueListArgs extends listArgs(CRASH_ISSUES) {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => IssueStatusType, { nullable: true, deprecationReason: 'Use filter: { status: { eq } }.' })
  status?: IssueStatus | null;
}

export const CRASH_EVENTS = listOf(CrashEvent, {
  owner: 'projectId',
  parts: ['environment'],
  orders: { receivedAt: ['receivedAt'] },
  usualOrder: { field: 'receivedAt', direction: 'desc' },
  filters: {
    level: LevelFilter,
    status: enumFilter(CrashEventStatusType, 'CrashEventStatus'),
    receivedAt: InstantFilter,
    occurredAt: InstantFilter,
  },
  found: ['level', 'status'],
  mostCounted: 10_000,
});

export const ISSUE_EVENTS: typeof CRASH_EVENTS = { ...CRASH_EVENTS, owner: 'issueId' };

/** The crashes of a release. */
export const RELEASE_EVENTS: typeof CRASH_EVENTS = { ...CRASH_EVENTS, owner: ['projectId', 'environment', 'release'] };

@ArgsType()
export class PlainCrashEventArgs extends listArgs(CRASH_EVENTS) {}

@ArgsType()
export class IssueEventListArgs extends PlainCrashEventArgs {
  @Field(() => String, { nullable: true })
  release?: string | null;
}

@ArgsType()
export class CrashEventListArgs extends IssueEventListArgs {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => ID, { nullable: true })
  issueId?: string | null;
}

export const CrashIssueConnection = connectionOf(CrashIssue, 'CrashIssue');
export const CrashEventConnection = connectionOf(CrashEvent, 'CrashEvent');
