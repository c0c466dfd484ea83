import type { Client } from 'urql';
import {
  BeginSymbolUploadDocument,
  type BeginSymbolUploadInput,
  type BeginSymbolUploadMutation,
  CompleteSymbolUploadDocument,
  type CompleteSymbolUploadMutation,
  UploadSymbolPartDocument,
} from '#documents';
import { fetchWithProgress } from '../../data/fetch-with-progress.js';
import { sha256Of } from '../../data/sha256.js';
import type { TypedDocument } from '../../data/typed-document.js';

/** Where the file goes, and its kind. */
export type FilePlace = Pick<BeginSymbolUploadInput, 'projectId' | 'environment' | 'symbolKind' | 'release'>;

interface Watch {
  /** Called with the share of the file read so far, before anything is sent. */
  onRead: (share: number) => void;
  /** Called with the share of the file that the server has or is receiving. */
  onSent: (share: number) => void;
  /** Called once the server knows the upload and keeps its parts. */
  onBegun: (uploadId: string) => void;
  signal: AbortSignal;
}

type Stored = NonNullable<CompleteSymbolUploadMutation['completeSymbolUpload']>;

/**
 * Sends a file in parts, skipping those the server already has, so sending it again after a lost connection or a
 * pause resumes the upload.
 *
 * @throws CombinedError, or any error from reading the file
 */
export async function sendInParts(client: Client, file: File, place: FilePlace, watch: Watch): Promise<Stored> {
  const { onRead, onSent, onBegun, signal } = watch;
  const ask = async <Data, Variables extends object>(
    document: TypedDocument<Data, Variables>,
    variables: Variables,
    onProgress: (share: number) => void = () => undefined,
  ): Promise<Data> => {
    const { data, error } = await client
      .mutation<Data>(document.toString(), variables, { fetch: fetchWithProgress(onProgress, signal) })
      .toPromise();
    if (error) throw error;
    return data as Data;
  };
  const sha256 = await sha256Of(file, signal, onRead);
  signal.throwIfAborted();
  const started: BeginSymbolUploadMutation = await ask(BeginSymbolUploadDocument, {
    input: { ...place, fileName: file.name, sizeBytes: file.size, sha256 },
  });
  const { upload, artifact } = started.beginSymbolUpload ?? {};
  if (artifact) return artifact;
  if (!upload) throw new Error("The server didn't start the upload. Try again.");
  onBegun(upload.id);
  const there = new Map(upload.parts.map((part) => [part.offset, part.sha256]));
  for (let offset = 0; offset < file.size; offset += upload.partBytes) {
    const part = new File([file.slice(offset, offset + upload.partBytes)], file.name);
    const digest = await sha256Of(part, signal);
    const report = (share: number) => onSent((offset + part.size * share) / file.size);
    if (there.get(offset) !== digest) {
      signal.throwIfAborted();
      const variables = { uploadId: upload.id, offset, sha256: digest, part };
      await ask(UploadSymbolPartDocument, variables, report);
    }
    report(1);
  }
  const { completeSymbolUpload } = await ask(CompleteSymbolUploadDocument, { id: upload.id });
  return completeSymbolUpload as Stored;
}
