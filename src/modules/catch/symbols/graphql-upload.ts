import type { Readable } from 'node:stream';
import { GraphQLScalarType } from 'graphql';
import { GraphQLUpload } from 'graphql-upload-minimal';
import { catchFailure } from '../catch.errors.js';
import { type ReceivedFile, type SymbolUploadService, TOO_LARGE } from './symbol-upload.service.js';

export interface GraphqlUpload {
  filename?: string | null;
  /** `truncated` is set if the request's own limit cut the file off. */
  createReadStream(): Readable & { truncated?: boolean };
}

/** The library's scalar, except that a form without the file it names fails with `missing_file`. */
export const UploadScalar = new GraphQLScalarType({
  ...GraphQLUpload.toConfig(),
  parseValue: (value: unknown) => {
    const file = (GraphQLUpload.parseValue(value) as Promise<GraphqlUpload>).catch(() => {
      throw catchFailure('missing_file');
    });
    // An operation that is rejected before it asks for its file never listens.
    file.catch(() => undefined);
    return file;
  },
});

type FileStream = ReturnType<GraphqlUpload['createReadStream']>;

/** Reads the file of a GraphQL request with `use`. Fails with `incomplete_file` if the form ends inside it. */
export async function streamed<T>(
  { createReadStream }: GraphqlUpload,
  use: (stream: FileStream, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stream = opened(createReadStream);
  const aborted = new AbortController();
  let isBroken = false;
  stream.once('error', () => {
    isBroken = true;
    aborted.abort();
  });
  return use(stream, aborted.signal).catch((error: unknown) => {
    throw isBroken && (error as { status?: unknown }).status !== 413 ? catchFailure('incomplete_file') : error;
  });
}

/** Streams the file of a GraphQL request into the store. Fails like {@link streamed}. */
export function receiveGraphqlUpload(
  uploads: SymbolUploadService,
  file: GraphqlUpload,
): Promise<ReceivedFile | typeof TOO_LARGE> {
  return streamed(file, async (stream, signal) => {
    const received = await uploads
      .receive(stream, file.filename, signal)
      .catch((error: { status?: unknown }): typeof TOO_LARGE => {
        if (error.status === 413) return TOO_LARGE;
        throw error;
      });
    if (received === TOO_LARGE || stream.truncated !== true) return received;
    await uploads.discard(received);
    return TOO_LARGE;
  });
}

/** A form that is already broken has no stream. */
function opened(createReadStream: GraphqlUpload['createReadStream']): FileStream {
  try {
    return createReadStream();
  } catch {
    throw catchFailure('incomplete_file');
  }
}
