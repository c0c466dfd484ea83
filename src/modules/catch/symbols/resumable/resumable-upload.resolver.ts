import { Arg, Args, Extensions, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/context.js';
import { commonFailure } from '../../../../kernel/errors.js';
import { type Deletion, deletionOf } from '../../../../kernel/node.js';
import { VerbContext } from '../../../../kernel/verb-context.js';
import { IdInput } from '../../../access/ids.inputs.js';
import { type GraphqlUpload, streamed, UploadScalar } from '../graphql-upload.js';
import { SymbolArtifact } from '../symbol-artifact.entity.js';
import { BeginSymbolUploadInput, UploadSymbolPartArgs } from './resumable-upload.inputs.js';
import type { ResumableUploadService } from './resumable-upload.service.js';
import { BegunSymbolUpload, progressOf, SymbolUploadProgress } from './symbol-upload-progress.js';

const DeletedSymbolUpload = deletionOf('DeletedSymbolUpload');

@Resolver()
export class ResumableUploadResolver {
  constructor(private readonly uploads: ResumableUploadService) {}

  @Mutation(() => BegunSymbolUpload, {
    description: 'Starts a multipart upload of a symbol file. Starting the same file again returns the open upload.',
  })
  async beginSymbolUpload(
    @VerbContext() ctx: Context,
    @Arg('input') input: BeginSymbolUploadInput,
  ): Promise<BegunSymbolUpload> {
    const { projectId, symbolKind, sizeBytes, ...file } = input;
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 1)
      throw commonFailure('invalid_input', { problems: [{ path: 'sizeBytes', problem: 'must be 1 or more' }] });
    const result = await this.uploads.begin(ctx, projectId, {
      ...file,
      kind: symbolKind,
      sizeBytes,
    });
    return 'parts' in result ? { upload: progressOf(result), artifact: null } : { upload: null, artifact: result };
  }

  @Mutation(() => SymbolUploadProgress, {
    description:
      'Stores a part (multipart request), which need not be sent again after a connection failure. Sending the same part again changes nothing.',
  })
  @Extensions({ transaction: false })
  async uploadSymbolPart(
    @VerbContext() ctx: Context,
    @Arg('part', () => UploadScalar) part: GraphqlUpload,
    @Args() { uploadId, offset, sha256 }: UploadSymbolPartArgs,
  ): Promise<SymbolUploadProgress> {
    return progressOf(
      await streamed(part, (stream, signal) => this.uploads.receivePart(ctx, uploadId, offset, sha256, stream, signal)),
    );
  }

  @Mutation(() => SymbolArtifact, { description: 'Creates the artifact of an upload whose parts are all stored.' })
  @Extensions({ transaction: false })
  completeSymbolUpload(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<SymbolArtifact> {
    return this.uploads.complete(ctx, input.id, new AbortController().signal);
  }

  @Mutation(() => DeletedSymbolUpload, { description: 'Cancels an open upload.' })
  async abandonSymbolUpload(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Deletion> {
    await this.uploads.abandon(ctx, input.id);
    return { id: input.id };
  }
}
