import { GraphQLBigInt } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Deletion } from '../../../../kernel/node.js';
import { SymbolArtifact } from '../symbol-artifact.entity.js';
import { PART_BYTES, type UploadProgress } from './upload-progress.js';

@ObjectType({ description: 'A part of a symbol file that is stored.' })
export class SymbolUploadPartProgress {
  @Field(() => GraphQLBigInt, { description: 'Where in the file it begins, in bytes.' })
  offset!: number;

  @Field(() => Int)
  sizeBytes!: number;

  @Field(() => String, { description: 'Of the part, hexadecimal.' })
  sha256!: string;
}

@ObjectType({ description: 'A symbol file that comes in parts, and those that are stored, in the order of the file.' })
export class SymbolUploadProgress {
  @Field(() => ID)
  id!: string;

  @Field(() => GraphQLBigInt, { description: 'Of the whole file.' })
  sizeBytes!: string;

  @Field(() => Int, { description: 'Of every part but the last, which may be shorter; parts begin at its multiples.' })
  partBytes!: number;

  @Field(() => [SymbolUploadPartProgress])
  parts!: SymbolUploadPartProgress[];

  @Field(() => Date, { description: 'When it is forgotten unless another part comes.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'What came of announcing a file: one of the two is null.' })
export class BegunSymbolUpload {
  @Field(() => SymbolUploadProgress, { nullable: true, description: 'The upload that takes its parts.' })
  upload!: SymbolUploadProgress | null;

  @Field(() => SymbolArtifact, { nullable: true, description: 'The artifact that has these bytes already.' })
  artifact!: SymbolArtifact | null;
}

@ObjectType({ implements: Deletion })
export class DeletedSymbolUpload extends Deletion {}

export const progressOf = ({ upload, parts }: UploadProgress): SymbolUploadProgress => ({
  id: upload.id,
  sizeBytes: upload.sizeBytes,
  partBytes: PART_BYTES,
  parts: parts.map(({ position, sizeBytes, sha256 }) => ({ offset: Number(position), sizeBytes, sha256 })),
  expiresAt: upload.expiresAt,
});
