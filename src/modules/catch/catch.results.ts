import { GraphQLBigInt } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { Deletion } from '../../kernel/node.js';
import { RedactedBelowEditor } from '../../kernel/values/email-redaction.js';
import { enumType } from '../../kernel/values/enum-type.js';
import type { SourceContext } from '../../symbols/source-map/source-context.js';
import {
  FRAME_STATUSES,
  type CrashFrame as Frame,
  type FrameAlternative,
  type FrameStatus,
} from '../../symbols/symbolication/crash-frame.js';
import { SymbolKindType } from './symbols/symbol-artifact.entity.js';

const FrameStatusType = enumType('CrashFrameStatus', FRAME_STATUSES, {
  valuesConfig: {
    missing_symbol: { description: 'The matching symbol file is not stored, or does not contain this location.' },
    unknown_image: { description: 'No image of the event contains its address.' },
    unknown_class: { description: 'The mapping does not contain its class, which is not a platform class.' },
    malformed: { description: 'It has nothing that could be looked up.' },
  },
});

@ObjectType({
  description:
    'The source around a frame; long lines are truncated. Nullable fields are null for events processed by version 0.1.',
})
export class CrashFrameContext implements SourceContext {
  @Field(() => [String], { description: 'Up to five lines before.' })
  before!: string[];

  @Field(() => String)
  line!: string;

  @Field(() => [String], { description: 'Up to five lines after.' })
  after!: string[];

  @Field(() => Int, { nullable: true, description: 'Number of `line` in its file, from 1.' })
  lineNumber!: number;

  @Field(() => Int, { nullable: true, description: "The frame's column in `line`, from 0." })
  column!: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'The code as it ran, from the stored script, because no map contains its source.',
  })
  isGenerated!: boolean;
}

@ObjectType({ description: 'Another location that an obfuscated frame may stand for.' })
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

@ObjectType({ description: 'A frame of a crash. Inlined functions have their own frames, innermost first.' })
export class CrashFrame implements Frame {
  @Field(() => String, { nullable: true })
  function!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The function with its parameter types, if the symbols have them (C++); overloads differ in it.',
  })
  signature?: string;

  @Field(() => CrashFrameContext, {
    nullable: true,
    description:
      'For the first 50 frames, if the symbols contain the source (source maps with `sourcesContent`) or the script itself.',
  })
  context?: SourceContext;

  @Field(() => [CrashFrameAlternative], {
    nullable: true,
    description: "Other possible locations, if R8's mapping is ambiguous; the frame itself is the first one.",
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

  @Field(() => String, { nullable: true, description: 'Why it is not, or not fully, symbolicated.' })
  reason!: string | null;

  @Field(() => Int, { description: 'Index of the reported frame it was created from.' })
  reported!: number;

  @Field(() => Boolean, { description: 'The next frame is the call it was inlined into.' })
  inlined!: boolean;
}

@ObjectType({ description: 'Missing symbols that events need.' })
export class MissingSymbols {
  projectId!: string;

  environment!: Environment;

  @Field(() => String, { description: 'The kind of symbol file to upload.', deprecationReason: 'Use symbolKind.' })
  @Field(() => SymbolKindType, { name: 'symbolKind', description: 'The kind of symbol file to upload.' })
  kind!: string;

  @Field(() => String, { description: 'Debug id, build id, file name, or release.' })
  @RedactedBelowEditor()
  key!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The key in the format of Xcode and `dwarfdump --uuid`, if it is a UUID.',
  })
  @RedactedBelowEditor()
  debugId!: string | null;

  @Field(() => String, { nullable: true, description: 'Path of the library on the device, if an event named it.' })
  @RedactedBelowEditor()
  image!: string | null;

  @Field(() => Boolean, {
    description: 'Whether its path belongs to the operating system, so you cannot upload its symbols. Those come last.',
  })
  isSystem!: boolean;

  @Field(() => String, { nullable: true, description: 'Release of the newest of those events that has one.' })
  @RedactedBelowEditor()
  release!: string | null;

  @Field(() => GraphQLBigInt, { description: 'Events of the last 30 days that need them.' })
  events!: string;

  @Field(() => Date)
  firstSeenAt!: Date;

  @Field(() => Date)
  lastSeenAt!: Date;
}

@ObjectType()
export class ReprocessedCrashes {
  @Field(() => Int, { description: 'Number of events being symbolicated again.' })
  events!: number;
}

@ObjectType({ implements: Deletion })
export class DeletedSymbolArtifact extends Deletion {
  @Field(() => Boolean, { deprecationReason: 'The answer says so itself.' })
  deleted!: boolean;
}
