import type { Readable } from 'node:stream';
import { type ReceivedFile, type SymbolUploadService, TOO_LARGE } from './symbol-upload.service.js';

/** A file of a GraphQL multipart request. */
export interface GraphqlUpload {
  filename?: string | null;
  /** `truncated` is set when the request's own cap cut the file off. */
  createReadStream(): Readable & { truncated?: boolean };
}

/** Streams the file of a GraphQL request into the store. */
export async function receiveGraphqlUpload(
  uploads: SymbolUploadService,
  file: GraphqlUpload,
): Promise<ReceivedFile | typeof TOO_LARGE> {
  const stream = file.createReadStream();
  const aborted = new AbortController();
  stream.once('error', () => aborted.abort());
  const received = await uploads
    .receive(stream, file.filename, aborted.signal)
    .catch((error: { status?: unknown }): typeof TOO_LARGE => {
      if (error.status === 413) return TOO_LARGE;
      throw error;
    });
  if (received === TOO_LARGE || stream.truncated !== true) return received;
  await uploads.discard(received);
  return TOO_LARGE;
}
