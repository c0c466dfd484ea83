import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { CliSettings } from '../settings/settings.js';
import { parsedJson } from './send.js';
import { refusalOf, Unreachable } from './server-failures.js';

/** The artifact that the server made. */
export interface UploadedArtifact {
  id: string;
  project_id: string;
  environment: string;
  match_key: string;
  sha256: string;
  size_bytes: number;
}

const TIMEOUT_MS = 120_000;

/**
 * Sends a file with its fields at once, in one form (the same bytes twice make one artifact).
 *
 * @param progress called with the bytes of each piece that is sent
 * @throws Refused, Unreachable; what reading the file throws
 */
export async function uploadFile(
  settings: CliSettings,
  path: string,
  name: string,
  fields: Record<string, string>,
  progress: (bytes: number) => void,
): Promise<UploadedArtifact> {
  const boundary = `quarterdeck-${randomUUID()}`;
  const head = Buffer.from(formHead(boundary, fields, name));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const { size } = await stat(path);
  const url = new URL(`${settings.url}/api/v1/catch/symbols`);
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = open(url, {
      method: 'POST',
      timeout: TIMEOUT_MS,
      headers: {
        authorization: `Bearer ${settings.token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + size + tail.length,
      },
    });
    const source = createReadStream(path);
    request.on('timeout', () => request.destroy(new Error('the server did not answer in time')));
    request.on('error', (error) => reject(new Unreachable(settings.url, error)));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        source.destroy();
        const { statusCode = 0, headers } = response;
        settle(statusCode, headers.location, Buffer.concat(chunks).toString('utf8'), resolve, reject);
      });
    });
    request.write(head);
    source.on('data', (chunk) => progress(chunk.length));
    source.on('error', (error) => {
      request.destroy();
      reject(error);
    });
    source.on('end', () => request.end(tail));
    source.pipe(request, { end: false });
  });
}

function settle(
  status: number,
  location: string | undefined,
  text: string,
  resolve: (artifact: UploadedArtifact) => void,
  reject: (error: Error) => void,
): void {
  const body = parsedJson(text) as { artifact?: UploadedArtifact; error?: string; message?: string } | null;
  if (status === 201 && body?.artifact) resolve(body.artifact);
  else reject(refusalOf(status, location, body));
}

function formHead(boundary: string, fields: Record<string, string>, name: string): string {
  const parts = Object.entries(fields).map(
    ([key, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const plain = name.replace(/[\r\n"]/g, '_');
  return `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${plain}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
}
