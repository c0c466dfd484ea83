import { Entity, Enum, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import type { StoredFrame } from '../../../symbols/symbolication/frame-text.js';
import type { SettledStatus } from '../../../symbols/symbolication/written-crash.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';
import { CrashFrame } from '../catch.results.js';
import { CrashIssue, CrashLevelType } from '../issues/crash-issue.entity.js';
import type { StoredPayload } from './reading/crash-report.js';

export const CrashEventStatusType: Record<SettledStatus | 'pending', string> = {
  pending: 'pending',
  symbolicated: 'symbolicated',
  partial: 'partial',
  unsymbolicated: 'unsymbolicated',
  no_frames: 'no_frames',
};
registerEnumType(CrashEventStatusType, {
  name: 'CrashEventStatus',
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

  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => ID, { nullable: true })
  @Property({ type: 'text', nullable: true })
  issueId!: string | null;

  @Edge(() => CrashIssue, 'issueId')
  issue?: CrashIssue;

  @Field(() => Date)
  @Property({ type: 'Date' })
  receivedAt!: Date;

  @Field(() => Date)
  @Property({ type: 'Date' })
  occurredAt!: Date;

  @Field(() => String)
  @RedactedBelowEditor()
  @Property({ type: 'text' })
  platform!: string;

  @Field(() => String, { deprecationReason: 'Use severity, which is an enum.' })
  @Property({ type: 'text' })
  level!: string;

  @Field(() => String, { nullable: true })
  @RedactedBelowEditor()
  @Property({ type: 'text', nullable: true })
  release!: string | null;

  @Field(() => String, { nullable: true })
  @RedactedBelowEditor()
  @Property({ type: 'text', nullable: true })
  distinctId!: string | null;

  @Field(() => String)
  @RedactedBelowEditor()
  @Property({ type: 'text' })
  title!: string;

  @Field(() => String, { nullable: true })
  @RedactedBelowEditor()
  @Property({ type: 'text', nullable: true })
  exceptionType!: string | null;

  @Field(() => String, {
    description:
      'pending; symbolicated, partial or unsymbolicated if all, some or none of its frames are, unsymbolicated also if its stack trace cannot be parsed; no_frames if there is nothing to symbolicate.',
    deprecationReason: 'Use symbolication, which is an enum.',
  })
  @Property({ type: 'text' })
  status!: string;

  /** As stored by earlier versions. */
  @Field(() => [CrashFrame])
  @RedactedBelowEditor()
  @Property({ type: 'json', nullable: true })
  frames!: StoredFrame[] | null;

  /** Their compressed JSON text; null if there are none, and while the event waits. */
  @Property({ type: 'blob', nullable: true })
  packedFrames!: Uint8Array | null;

  @Field(() => String, { nullable: true, description: 'The raw stack trace with original names.' })
  @RedactedBelowEditor()
  @Property({ type: 'text', nullable: true })
  stacktrace!: string | null;

  @Property({ type: 'json' })
  payload!: StoredPayload;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  symbolicatedAt!: Date | null;

  @Field(() => CrashLevelType)
  severity?: string;

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
