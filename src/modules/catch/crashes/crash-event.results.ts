import { GraphQLBigInt, GraphQLJSON } from 'graphql-scalars';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { RedactedBelowEditor } from '../../../kernel/email-redaction.js';
import type { CrashFrame as Frame, FrameStatus } from '../../../symbols/symbolication/crash-frame.js';
import { EnvironmentType } from '../../access/keys/project-key.entity.js';

const FrameStatusType: Record<FrameStatus, FrameStatus> = {
  symbolicated: 'symbolicated',
  missing_symbol: 'missing_symbol',
  unknown_image: 'unknown_image',
  unknown_class: 'unknown_class',
  malformed: 'malformed',
};
registerEnumType(FrameStatusType, {
  name: 'CrashFrameStatus',
  valuesConfig: {
    missing_symbol: { description: 'The file that would name it is not stored, or does not know the place.' },
    unknown_image: { description: 'No image of the event holds its address.' },
    unknown_class: { description: 'The mapping does not name its class, which is not of the platform.' },
    malformed: { description: 'It lacks what could be looked up.' },
  },
});

@ObjectType({ description: 'A frame of a crash. Inlined functions have frames of their own, innermost first.' })
class CrashFrame implements Frame {
  @Field(() => String, { nullable: true })
  function!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The function with the types of its parameters, where the symbols tell them (C++); overloads differ in it.',
  })
  signature?: string;

  @Field(() => String, { nullable: true })
  file!: string | null;

  @Field(() => Int, { nullable: true })
  line!: number | null;

  @Field(() => Int, { nullable: true })
  column!: number | null;

  @Field(() => String, { nullable: true })
  address!: string | null;

  @Field(() => String, { nullable: true })
  module!: string | null;

  @Field(() => Boolean, { nullable: true })
  inApp!: boolean | null;

  @Field(() => FrameStatusType)
  status!: FrameStatus;

  @Field(() => String, { nullable: true, description: 'Why it is not symbolicated, or not wholly.' })
  reason!: string | null;

  @Field(() => Int, { description: 'Position of the reported frame that it was made of.' })
  reported!: number;

  @Field(() => Boolean, { description: 'The next frame is the call that it was inlined into.' })
  inlined!: boolean;
}

@ObjectType({ description: 'A crash as a client reported it, with its symbolicated frames.' })
export class CrashEvent {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType)
  environment!: Environment;

  @Field(() => ID, { nullable: true })
  issueId!: string | null;

  @Field(() => Date)
  receivedAt!: Date;

  @Field(() => Date)
  occurredAt!: Date;

  @Field(() => String)
  @RedactedBelowEditor()
  platform!: string;

  @Field(() => String)
  level!: string;

  @Field(() => String, { nullable: true })
  @RedactedBelowEditor()
  release!: string | null;

  @Field(() => String, { nullable: true })
  @RedactedBelowEditor()
  distinctId!: string | null;

  @Field(() => String)
  @RedactedBelowEditor()
  title!: string;

  @Field(() => String, { nullable: true })
  @RedactedBelowEditor()
  exceptionType!: string | null;

  @Field(() => String, {
    description:
      'pending; symbolicated, partial or unsymbolicated as all, some or none of its frames are, unsymbolicated also when its stack trace cannot be read; no_frames when there is nothing to read.',
  })
  status!: string;

  @Field(() => String, { nullable: true, description: 'Why it has no frames at all, when it has none.' })
  statusReason!: string | null;

  @Field(() => [CrashFrame])
  @RedactedBelowEditor()
  frames!: Frame[];

  @Field(() => String, { nullable: true, description: 'The raw stack trace with original names.' })
  @RedactedBelowEditor()
  stacktrace!: string | null;

  @Field(() => String, { nullable: true })
  @RedactedBelowEditor()
  rawStacktrace!: string | null;

  @Field(() => GraphQLJSON)
  @RedactedBelowEditor()
  tags!: unknown;

  @Field(() => GraphQLJSON)
  @RedactedBelowEditor()
  extra!: unknown;

  @Field(() => GraphQLJSON)
  @RedactedBelowEditor()
  breadcrumbs!: unknown;

  @Field(() => Date, { nullable: true })
  symbolicatedAt!: Date | null;
}

@ObjectType({ description: 'Symbols that events asked for and that are not stored.' })
export class MissingSymbols {
  projectId!: string;

  @Field(() => String, { description: 'The kind of symbol file to upload.' })
  kind!: string;

  @Field(() => String, { description: 'Debug id, build id, file name, or release.' })
  @RedactedBelowEditor()
  key!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The key as Xcode and `dwarfdump --uuid` write it, when it is a UUID.',
  })
  @RedactedBelowEditor()
  debugId!: string | null;

  @Field(() => String, { nullable: true, description: 'Release of the newest of those events that has one.' })
  @RedactedBelowEditor()
  release!: string | null;

  @Field(() => GraphQLBigInt, { description: 'Events of the last 30 days that missed them.' })
  events!: string;

  @Field(() => Date)
  firstSeenAt!: Date;

  @Field(() => Date)
  lastSeenAt!: Date;
}

@ObjectType()
export class ReprocessedCrashes {
  @Field(() => Int, { description: 'Events that are symbolicated again now.' })
  events!: number;
}

@ObjectType()
export class DeletedSymbolArtifact {
  @Field(() => Boolean)
  deleted!: boolean;
}
