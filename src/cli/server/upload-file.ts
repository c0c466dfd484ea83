import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { CliSettings } from '../settings/settings.js';
import { send } from './send.js';

export interface UploadedArtifact {
  id: string;
  project_id: string;
  environment: string;
  match_key: string;
  sha256: string;
  size_bytes: number;
}

export interface FileToSend {
  path: string;
  name: string;
  sizeBytes: number;
  sha256: string;
  /** Form fields: `kind`, `release` and so on. */
  fields: Record<string, string>;
}

/**
 * Sends a file and its fields in one form. Sending the same bytes twice makes one artifact.
 *
 * @throws Refused, Unreachable; read errors, and when the file has changed since it was hashed
 */
export async function uploadFile(
  settings: CliSettings,
  { path, name, sizeBytes, sha256, fields }: FileToSend,
  progress: (bytes: number) => void,
): Promise<UploadedArtifact> {
  const boundary = `quarterdeck-${randomUUID()}`;
  const head = Buffer.from(formHead(boundary, fields, name));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const bytes = Readable.from(
    (async function* () {
      yield head;
      const hash = createHash('sha256');
      let left = sizeBytes;
      for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        left -= chunk.length;
        if (left < 0) break;
        progress(chunk.length);
        yield chunk;
      }
      // The server stores nothing without the closing boundary.
      if (hash.digest('hex') !== sha256)
        throw new Error('it changed during the upload; try again once it is completely written');
      yield tail;
    })(),
    { objectMode: false },
  );
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + sizeBytes + tail.length,
  };
  const { body } = await send(settings, 'POST', '/api/v1/catch/symbols', { bytes, headers }, { wanted: [201] });
  return (body as { artifact: UploadedArtifact }).artifact;
}

function formHead(boundary: string, fields: Record<string, string>, name: string): string {
  const parts = Object.entries(fields).map(
    ([key, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const plain = name.replace(/[\r\n"]/g, '_');
  return `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${plain}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
}
