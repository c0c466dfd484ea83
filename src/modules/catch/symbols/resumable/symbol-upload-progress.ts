import { GraphQLBigInt } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { SymbolArtifact } from '../symbol-artifact.entity.js';
import { PART_BYTES, type UploadProgress } from './upload-progress.js';

@ObjectType({ description: 'A stored part of a symbol file.' })
export class SymbolUploadPartProgress {
  @Field(() => GraphQLBigInt, { description: 'Offset of the part in the file, in bytes.' })
  offset!: number;

  @Field(() => Int)
  sizeBytes!: number;

  @Field(() => String, { description: 'Of the part, hexadecimal.' })
  sha256!: string;
}

@ObjectType({ description: 'A symbol file being uploaded in parts, and the parts stored so far, in file order.' })
export class SymbolUploadProgress {
  @Field(() => ID)
  id!: string;

  @Field(() => GraphQLBigInt, { description: 'Of the whole file.' })
  sizeBytes!: string;

  @Field(() => Int, {
    description: 'Size of every part except the last, which may be smaller; each part starts at a multiple of it.',
  })
  partBytes!: number;

  @Field(() => [SymbolUploadPartProgress])
  parts!: SymbolUploadPartProgress[];

  @Field(() => Date, { description: 'When it expires, unless another part arrives.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'The result of starting an upload: one of the two is null.' })
export class BegunSymbolUpload {
  @Field(() => SymbolUploadProgress, { nullable: true, description: 'The upload that receives the parts.' })
  upload!: SymbolUploadProgress | null;

  @Field(() => SymbolArtifact, { nullable: true, description: 'The artifact that already has these bytes.' })
  artifact!: SymbolArtifact | null;
}

export const progressOf = ({ upload, parts }: UploadProgress): SymbolUploadProgress => ({
  id: upload.id,
  sizeBytes: upload.sizeBytes,
  partBytes: PART_BYTES,
  parts: parts.map(({ position, sizeBytes, sha256 }) => ({ offset: Number(position), sizeBytes, sha256 })),
  expiresAt: upload.expiresAt,
});
