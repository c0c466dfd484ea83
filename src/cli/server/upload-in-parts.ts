import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { CliSettings } from '../settings/settings.js';
import { withRetries } from './retries.js';
import { send } from './send.js';
import { Refused } from './server-failures.js';
import type { FileToSend, UploadedArtifact } from './upload-file.js';

/** Larger files are sent in parts. */
export const WHOLE_BYTES = 64_000_000;

const PATH = '/api/v1/catch/symbols/uploads';
/** How often to restart an upload that has expired on the server. */
const MOST_BEGINNINGS = 3;
/** The rate at which even a slow server assembles parts. */
const BYTES_PER_MS = 1_000;

interface OpenUpload {
  id: string;
  part_bytes: number;
  parts: { offset: number; size_bytes: number; sha256: string }[];
}

/**
 * Sends a file in parts, skipping those the server already has from this or an earlier run; a broken connection costs
 * only the part in flight.
 *
 * @param progress called with the size of each part the server has
 * @param sending called with the size of each part sent, repeats included
 * @throws Refused, Unreachable; read errors
 */
export async function uploadInParts(
  settings: CliSettings,
  file: FileToSend,
  progress: (bytes: number) => void,
  sending: (bytes: number) => void,
  notice: (line: string) => void,
): Promise<UploadedArtifact> {
  const source = await open(file.path, 'r');
  try {
    for (let beginning = 1; ; beginning++) {
      try {
        const started = await begin(settings, file, notice);
        if ('artifact' in started) return started.artifact;
        await sendParts(settings, file, source, started.upload, progress, sending, notice);
        const path = `${PATH}/${started.upload.id}/complete`;
        // The server assembles the parts before it answers.
        const patienceMs = settings.patienceMs + file.sizeBytes / BYTES_PER_MS;
        const { body } = await withRetries(() => send(settings, 'POST', path, null, { patienceMs }), notice);
        return (body as { artifact: UploadedArtifact }).artifact;
      } catch (error) {
        // It expired, or the answer to its completion was lost: starting again shows which.
        const isGone = error instanceof Refused && error.status === 404 && error.code === 'not_found';
        if (!isGone || beginning === MOST_BEGINNINGS) throw error;
      }
    }
  } finally {
    await source.close();
  }
}

async function begin(
  settings: CliSettings,
  { name, sizeBytes, sha256, fields }: FileToSend,
  notice: (line: string) => void,
): Promise<{ artifact: UploadedArtifact } | { upload: OpenUpload }> {
  const bytes = JSON.stringify({ ...fields, file_name: name, size_bytes: sizeBytes, sha256 });
  const request = { bytes, headers: { 'content-type': 'application/json' } };
  const { body } = await withRetries(() => send(settings, 'POST', PATH, request), notice);
  return body as { artifact: UploadedArtifact } | { upload: OpenUpload };
}

async function sendParts(
  settings: CliSettings,
  { sizeBytes }: FileToSend,
  source: FileHandle,
  { id, part_bytes: partBytes, parts }: OpenUpload,
  progress: (bytes: number) => void,
  sending: (bytes: number) => void,
  notice: (line: string) => void,
): Promise<void> {
  const there = new Map(parts.map((part) => [part.offset, part.sha256]));
  for (let offset = 0; offset < sizeBytes; offset += partBytes) {
    const bytes = new Uint8Array(Math.min(partBytes, sizeBytes - offset));
    const { bytesRead } = await source.read(bytes, 0, bytes.length, offset);
    if (bytesRead < bytes.length) throw new Error('the file became shorter during the upload');
    const digest = createHash('sha256').update(bytes).digest();
    if (there.get(offset) !== digest.toString('hex')) {
      const headers = {
        'content-type': 'application/octet-stream',
        'content-digest': `sha-256=:${digest.toString('base64')}:`,
      };
      await withRetries(() => {
        sending(bytes.length);
        return send(settings, 'PUT', `${PATH}/${id}/parts/${offset}`, { bytes, headers });
      }, notice);
    }
    progress(bytes.length);
  }
}
