import type { Readable } from 'node:stream';
import { GraphQLError, GraphQLScalarType } from 'graphql';
import { GraphQLUpload, Upload } from 'graphql-upload-minimal';
import { catchFailure } from '../catch.errors.js';
import { type ReceivedFile, type SymbolUploadService, TOO_LARGE } from './symbol-upload.service.js';

export interface GraphqlUpload {
  filename?: string | null;
  /** `truncated` is set if the request's own limit cut the file off. */
  createReadStream(): Readable & { truncated?: boolean };
}

/** The library's scalar, except that a form without the file it names fails with `missing_file`, one with several with `too_many_files`. */
export const UploadScalar = new GraphQLScalarType({
  ...GraphQLUpload.toConfig(),
  parseValue: (value: unknown) => {
    if (!(value instanceof Upload))
      throw new GraphQLError('Send the file in a multipart request whose map names this variable.');
    const file = value.promise.catch((error: unknown) => {
      throw catchFailure(isSecondFile(error) ? 'too_many_files' : 'missing_file');
    });
    // An operation that is rejected before it asks for its file never listens.
    file.catch(() => undefined);
    return file;
  },
});

/** How the library refuses a second file in the form, and a second use of the first. */
export const isSecondFile = (error: unknown): boolean =>
  /max file uploads exceeded|createReadStream\(\) multiple times/.test((error as Error).message);

type FileStream = ReturnType<GraphqlUpload['createReadStream']>;

/**
 * Reads the file of a GraphQL request with `use`. Fails with `incomplete_file` if the form ends inside it, and with `too_many_files` if it
 * has another, or the file is for several arguments.
 */
export async function streamed<T>(
  { createReadStream }: GraphqlUpload,
  use: (stream: FileStream, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stream = opened(createReadStream);
  const aborted = new AbortController();
  let broken: Error | null = null;
  stream.once('error', (error) => {
    broken = error;
    aborted.abort();
  });
  return use(stream, aborted.signal).catch((error: unknown) => {
    if (broken && isSecondFile(broken)) throw catchFailure('too_many_files');
    throw broken && (error as { status?: unknown }).status !== 413 ? catchFailure('incomplete_file') : error;
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

/** A form that is already broken has no stream, and a file only one. */
function opened(createReadStream: GraphqlUpload['createReadStream']): FileStream {
  try {
    return createReadStream();
  } catch (error) {
    throw catchFailure(isSecondFile(error) ? 'too_many_files' : 'incomplete_file');
  }
}
