import type { Readable } from 'node:stream';
import { GraphQLScalarType } from 'graphql';
import { GraphQLUpload } from 'graphql-upload-minimal';
import { catchFailure } from '../catch.errors.js';
import { type ReceivedFile, type SymbolUploadService, TOO_LARGE } from './symbol-upload.service.js';

/** A file of a GraphQL multipart request. */
export interface GraphqlUpload {
  filename?: string | null;
  /** `truncated` is set when the request's own cap cut the file off. */
  createReadStream(): Readable & { truncated?: boolean };
}

/** The library's scalar, but for a form that has not the file that it names: that is `missing_file`. */
export const UploadScalar = new GraphQLScalarType({
  ...GraphQLUpload.toConfig(),
  parseValue: (value: unknown) => {
    const file = (GraphQLUpload.parseValue(value) as Promise<GraphqlUpload>).catch(() => {
      throw catchFailure('missing_file');
    });
    // An operation that is refused before it asks for its file never listens.
    file.catch(() => undefined);
    return file;
  },
});

/** Streams the file of a GraphQL request into the store. Fails with `incomplete_file` when the form ends in the middle of it. */
export async function receiveGraphqlUpload(
  uploads: SymbolUploadService,
  { filename, createReadStream }: GraphqlUpload,
): Promise<ReceivedFile | typeof TOO_LARGE> {
  const stream = opened(createReadStream);
  const aborted = new AbortController();
  let isBroken = false;
  stream.once('error', () => {
    isBroken = true;
    aborted.abort();
  });
  const received = await uploads
    .receive(stream, filename, aborted.signal)
    .catch((error: { status?: unknown }): typeof TOO_LARGE => {
      if (error.status === 413) return TOO_LARGE;
      throw isBroken ? catchFailure('incomplete_file') : error;
    });
  if (received === TOO_LARGE || stream.truncated !== true) return received;
  await uploads.discard(received);
  return TOO_LARGE;
}

/** A form that is broken already has no stream to give. */
function opened(createReadStream: GraphqlUpload['createReadStream']): ReturnType<GraphqlUpload['createReadStream']> {
  try {
    return createReadStream();
  } catch {
    throw catchFailure('incomplete_file');
  }
}
