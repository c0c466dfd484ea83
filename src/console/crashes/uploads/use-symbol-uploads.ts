import { useRef, useState } from 'react';
import { CombinedError, useClient } from 'urql';
import { AbandonSymbolUploadDocument, type SymbolKind } from '#documents';
import { messageOf, sizeRefusal } from '../../data/failures.js';
import { useScope } from '../../data/scope.js';
import { useChange } from '../../data/use-document.js';
import { sendInParts } from './send-in-parts.js';

/** A file being uploaded. The server has, or is receiving, `share` of it; `words` describe the outcome. */
export interface SymbolUpload {
  readonly id: number;
  readonly file: File;
  readonly kind: SymbolKind;
  readonly release: string;
  readonly state: 'waiting' | 'reading' | 'leaving' | 'paused' | 'broken' | 'stored' | 'refused';
  readonly share: number;
  readonly words: string;
  /** The stored file on the server. */
  readonly artifactId?: string;
}

let lastId = 0;

/** Uploads symbol files one at a time. An upload that was paused or lost its connection resumes where it stopped. */
export function useSymbolUploads() {
  const { projectId, environment } = useScope();
  const client = useClient();
  const [abandon] = useChange(AbandonSymbolUploadDocument, { quiet: true });
  const [uploads, setUploads] = useState<readonly SymbolUpload[]>([]);
  const stops = useRef(new Map<number, AbortController>());
  const uploadIds = useRef(new Map<number, string>());
  const change = (id: number, fields: Partial<SymbolUpload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));
  const sendOne = async ({ id, file, kind, release }: SymbolUpload) => {
    if (file.size === 0) return change(id, { state: 'refused', words: 'the file is empty. Nothing was sent.' });
    const stop = new AbortController();
    stops.current.set(id, stop);
    change(id, { state: 'reading', share: 0, words: '' });
    const place = { projectId, environment, symbolKind: kind, release: release || null };
    try {
      const made = await sendInParts(client, file, place, {
        onRead: (share) => change(id, { share }),
        onSent: (share) => change(id, { state: 'leaving', share }),
        onBegun: (uploadId) => uploadIds.current.set(id, uploadId),
        signal: stop.signal,
      });
      if (made.failureReason) return change(id, { state: 'refused', words: made.failureReason });
      change(id, { state: 'stored', share: 1, words: '', artifactId: made.id });
    } catch (error) {
      if (stop.signal.aborted) return change(id, { state: 'paused', words: '' });
      const tooBig = error instanceof CombinedError ? sizeRefusal(error) : undefined;
      if (tooBig) return change(id, { state: 'broken', words: tooBig });
      if (error instanceof CombinedError && !error.networkError)
        return change(id, { state: 'refused', words: messageOf(error) });
      const words =
        error instanceof CombinedError
          ? 'the connection was lost. You can resume within a day.'
          : "the file can no longer be read. Check that it wasn't moved or changed.";
      change(id, { state: 'broken', words });
    }
  };
  const send = async (files: readonly File[], kind: SymbolKind, release: string) => {
    const added = files.map((file): SymbolUpload => {
      lastId += 1;
      return { id: lastId, file, kind, release, state: 'waiting', share: 0, words: '' };
    });
    setUploads((before) => [...before.filter(({ state }) => state !== 'stored'), ...added]);
    for (const upload of added) await sendOne(upload);
  };
  const giveUp = ({ id }: SymbolUpload) => {
    const uploadId = uploadIds.current.get(id);
    setUploads((all) => all.filter((one) => one.id !== id));
    if (uploadId) void abandon({ id: uploadId });
  };
  return {
    uploads,
    send,
    goOn: sendOne,
    pause: ({ id }: SymbolUpload) => stops.current.get(id)?.abort(),
    giveUp,
    isSending: uploads.some(({ state }) => state === 'leaving' || state === 'reading'),
  };
}
