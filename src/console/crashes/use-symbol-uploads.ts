import { useState } from 'react';
import { useClient } from 'urql';
import { type SymbolKind, UploadSymbolsDocument, type UploadSymbolsMutation } from '#documents';
import { useScope } from '../app/scope.js';
import { messageOf } from '../data/failures.js';
import { fetchWithProgress } from '../data/fetch-with-progress.js';

/** A file on its way: `share` of it has left; once it `ended`, `words` say what became of it. */
export interface SymbolUpload {
  readonly id: number;
  readonly file: File;
  readonly kind: SymbolKind;
  readonly release: string;
  readonly state: 'waiting' | 'leaving' | 'stored' | 'refused' | 'broken';
  readonly share: number;
  readonly words: string;
}

let lastId = 0;

/** Sends symbol files one after the other. The same bytes sent again are the same artifact, so a file whose line broke can be sent again. */
export function useSymbolUploads() {
  const { projectId, environment } = useScope();
  const client = useClient();
  const [uploads, setUploads] = useState<readonly SymbolUpload[]>([]);
  const change = (id: number, fields: Partial<SymbolUpload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));
  const sendOne = async ({ id, file, kind, release }: SymbolUpload) => {
    change(id, { state: 'leaving', share: 0, words: '' });
    if (file.size === 0) return change(id, { state: 'refused', words: 'The file is empty; nothing was sent.' });
    const variables = { projectId, environment, kind, release: release || null, file };
    const { data, error } = await client
      .mutation<UploadSymbolsMutation>(UploadSymbolsDocument.toString(), variables, {
        fetch: fetchWithProgress((share) => change(id, { share })),
      })
      .toPromise();
    const made = data?.uploadSymbolArtifact;
    if (error?.networkError)
      return change(id, { state: 'broken', words: 'The line broke before the server had it all. Send it again.' });
    if (error) return change(id, { state: 'refused', words: messageOf(error) });
    if (made?.failureReason) return change(id, { state: 'refused', words: made.failureReason });
    const words =
      made?.status === 'ready' ? 'stored; crashes that waited for it are read again.' : 'stored; it is being read.';
    change(id, { state: 'stored', share: 1, words });
  };
  const send = async (files: readonly File[], kind: SymbolKind, release: string) => {
    const added = files.map((file): SymbolUpload => {
      lastId += 1;
      return { id: lastId, file, kind, release, state: 'waiting', share: 0, words: '' };
    });
    setUploads((before) => [...before.filter(({ state }) => state !== 'stored'), ...added]);
    for (const upload of added) await sendOne(upload);
  };
  return { uploads, send, again: sendOne, isSending: uploads.some(({ state }) => state === 'leaving') };
}
