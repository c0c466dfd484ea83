import { Entity, Enum, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { GraphQLBigInt } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { RedactedBelowEditor } from '../../../kernel/email-redaction.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { EnvironmentType } from '../../access/keys/project-key.entity.js';

const STATUSES = ['open', 'resolved'] as const;
export type IssueStatus = (typeof STATUSES)[number];

export const IssueStatusType = Object.fromEntries(STATUSES.map((status) => [status, status]));
registerEnumType(IssueStatusType, { name: 'CrashIssueStatus' });

@ObjectType({ description: 'Crash events with the same cause, told by their symbolicated frames.' })
@Entity({ tableName: 'crash_issue' })
@Unique({ name: 'crash_issue_fingerprint_unique', properties: ['projectId', 'environment', 'fingerprint'] })
@Index({ name: 'crash_issue_list_index', properties: ['projectId', 'environment', 'lastSeenAt', 'id'] })
export class CrashIssue {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('iss');

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

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

  @Field(() => String)
  @Property({ type: 'text' })
  level!: string;

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
