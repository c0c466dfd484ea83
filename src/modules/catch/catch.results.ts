import { GraphQLBigInt } from 'graphql-scalars';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { Deletion } from '../../kernel/node.js';
import { RedactedBelowEditor } from '../../kernel/values/email-redaction.js';
import type { SourceContext } from '../../symbols/source-map/source-context.js';
import type { CrashFrame as Frame, FrameAlternative, FrameStatus } from '../../symbols/symbolication/crash-frame.js';

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

@ObjectType({
  description:
    'The source around the place of a frame; long lines are cut. What is nullable is null on events that were read by version 0.1.',
})
export class CrashFrameContext implements SourceContext {
  @Field(() => [String], { description: 'Up to five lines before it.' })
  before!: string[];

  @Field(() => String)
  line!: string;

  @Field(() => [String], { description: 'Up to five lines after it.' })
  after!: string[];

  @Field(() => Int, { nullable: true, description: 'Number of `line` in its file, from 1.' })
  lineNumber!: number;

  @Field(() => Int, { nullable: true, description: 'Where in `line` the column of the frame is, from 0.' })
  column!: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'It is the code as it ran, of the stored script, because no map holds its source.',
  })
  isGenerated!: boolean;
}

@ObjectType({ description: 'Another place that an obfuscated frame may stand for.' })
export class CrashFrameAlternative implements FrameAlternative {
  @Field(() => String, { description: 'The class.' })
  module!: string;

  @Field(() => String)
  function!: string;

  @Field(() => String, { nullable: true })
  file!: string | null;

  @Field(() => Int, { nullable: true })
  line!: number | null;
}

@ObjectType({ description: 'A frame of a crash. Inlined functions have frames of their own, innermost first.' })
export class CrashFrame implements Frame {
  @Field(() => String, { nullable: true })
  function!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The function with the types of its parameters, where the symbols have them (C++); overloads differ in it.',
  })
  signature?: string;

  @Field(() => CrashFrameContext, {
    nullable: true,
    description:
      'Where the symbols hold the source (source maps with `sourcesContent`) or the script itself, of the first 50 frames.',
  })
  context?: SourceContext;

  @Field(() => [CrashFrameAlternative], {
    nullable: true,
    description:
      "What else it may have been, where R8's mapping leaves it open; the frame itself is the first of them all.",
  })
  alternatives?: FrameAlternative[];

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

@ObjectType({ description: 'Symbols that events asked for and that are not stored.' })
export class MissingSymbols {
  projectId!: string;

  environment!: Environment;

  @Field(() => String, { description: 'The kind of symbol file to upload.', deprecationReason: 'Use symbolKind.' })
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

  @Field(() => String, { nullable: true, description: 'Path of the library on the device, when an event named it.' })
  @RedactedBelowEditor()
  image!: string | null;

  @Field(() => Boolean, {
    description: 'It is of the operating system, by its path: its symbols are not yours to upload. Those come last.',
  })
  isSystem!: boolean;

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

@ObjectType({ implements: Deletion })
export class DeletedSymbolArtifact extends Deletion {
  @Field(() => Boolean, { deprecationReason: 'The answer says so itself.' })
  deleted!: boolean;
}
