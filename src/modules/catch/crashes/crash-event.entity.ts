import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import type { StoredFrame } from '../../../symbols/symbolication/frame-text.js';
import { SETTLED_STATUSES } from '../../../symbols/symbolication/written-crash.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';
import { CrashFrame } from '../catch.results.js';
import { CrashIssue, CrashLevelType } from '../issues/crash-issue.entity.js';
import type { StoredPayload } from './reading/crash-report.js';

export const CrashEventStatusType = enumType('CrashEventStatus', ['pending', ...SETTLED_STATUSES], {
  valuesConfig: {
    pending: { description: 'It is waiting to be symbolicated.' },
    symbolicated: { description: 'All of its frames are symbolicated.' },
    partial: { description: 'Some of its frames are symbolicated.' },
    unsymbolicated: { description: 'None of its frames is symbolicated, or its stack trace cannot be parsed.' },
    no_frames: { description: 'It has no frames and no stack trace.' },
  },
});

/** A row of the table `crash_event`, which is only written in SQL. Ids come from clients and are unique within their project. */
@GraphNode<CrashEvent>({ view: 'catch.crash.view', actions: ['catch.crash.reprocess'] })
@ObjectType({ implements: Node, description: 'A crash as a client reported it, with its symbolicated frames.' })
@Entity({ tableName: 'crash_event' })
export class CrashEvent {
  @Field(() => ID)
  @PrimaryKey({ type: 'uuid', fieldName: 'event_id' })
  id!: string;

  @IdColumn('uuid')
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @EnumColumn(EnvironmentType)
  environment!: Environment;

  @Column('text', { as: () => ID, nullable: true })
  issueId!: string | null;

  @Edge(() => CrashIssue, 'issueId')
  issue?: CrashIssue;

  @Column('Date')
  receivedAt!: Date;

  @Column('Date')
  occurredAt!: Date;

  @Column('text')
  @RedactedBelowEditor()
  platform!: string;

  @Column('text', { deprecationReason: 'Use severity, which is an enum.' })
  @Field(() => CrashLevelType, { name: 'severity' })
  level!: string;

  @Column('text', { nullable: true })
  @RedactedBelowEditor()
  release!: string | null;

  @Column('text', { nullable: true })
  @RedactedBelowEditor()
  distinctId!: string | null;

  @Column('text')
  @RedactedBelowEditor()
  title!: string;

  @Column('text', { nullable: true })
  @RedactedBelowEditor()
  exceptionType!: string | null;

  @Column('text', {
    description:
      'pending; symbolicated, partial or unsymbolicated if all, some or none of its frames are, unsymbolicated also if its stack trace cannot be parsed; no_frames if there is nothing to symbolicate.',
    deprecationReason: 'Use symbolication, which is an enum.',
  })
  status!: string;

  /** As stored by earlier versions. */
  @Field(() => [CrashFrame])
  @RedactedBelowEditor()
  @Property({ type: 'json', nullable: true })
  frames!: StoredFrame[] | null;

  /** Their compressed JSON text; null if there are none, and while the event waits. */
  @Property({ type: 'blob', nullable: true })
  packedFrames!: Uint8Array | null;

  @Column('text', { nullable: true, description: 'The raw stack trace with original names.' })
  @RedactedBelowEditor()
  stacktrace!: string | null;

  @Property({ type: 'json' })
  payload!: StoredPayload;

  @Column('Date', { nullable: true })
  symbolicatedAt!: Date | null;

  @Field(() => GraphQLJSON)
  @RedactedBelowEditor()
  tags?: unknown;

  @Field(() => GraphQLJSON)
  @RedactedBelowEditor()
  extra?: unknown;

  @Field(() => GraphQLJSON)
  @RedactedBelowEditor()
  breadcrumbs?: unknown;
}
