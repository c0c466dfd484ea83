import { Matches, MaxLength } from 'class-validator';
import { GraphQLBigInt } from 'graphql-scalars';
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { EnvironmentInput } from '../../../access/ids.inputs.js';
import { SymbolKindType } from '../symbol-artifact.entity.js';

const SHA256 = /^[0-9a-f]{64}$/;
const SHA256_WORDS = { message: 'must be a SHA-256 in lower-case hexadecimal' };

@InputType()
export class BeginSymbolUploadInput extends EnvironmentInput {
  @Field(() => SymbolKindType)
  symbolKind!: string;

  @Field(() => String)
  @MaxLength(1_000)
  fileName!: string;

  @Field(() => GraphQLBigInt, { description: 'Of the whole file, an integer.' })
  sizeBytes!: number;

  @Field(() => String, { description: 'Of the whole file, in lower-case hexadecimal.' })
  @Matches(SHA256, SHA256_WORDS)
  sha256!: string;

  @Field(() => String, { nullable: true })
  release?: string | null;

  @Field(() => String, { nullable: true })
  matchKey?: string | null;

  @Field(() => String, { nullable: true })
  commitSha?: string | null;
}

@ArgsType()
export class UploadSymbolPartArgs {
  @Field(() => ID)
  uploadId!: string;

  @Field(() => GraphQLBigInt, {
    description: 'Offset of the part in the file, in bytes: a multiple of `partBytes`.',
  })
  offset!: number;

  @Field(() => String, { description: 'Of the part, in lower-case hexadecimal.' })
  @Matches(SHA256, SHA256_WORDS)
  sha256!: string;
}
