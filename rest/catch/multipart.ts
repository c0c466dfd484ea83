import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { bodyFailure } from '../../src/kernel/bodies/body-failures.js';
import { catchFailure } from '../../src/modules/catch/catch.errors.js';

/** The parts of a form; repeated fields keep their first value. */
export interface FormParts<File> {
  /** The result of `takeFile` for the part named `file`; null if there was none. */
  file: File | null;
  fields: Map<string, string>;
}

const LIMITS = { fields: 64, fieldNameSize: 200, fieldSize: 16 * 1024, files: 4, parts: 128, headerPairs: 64 };

/**
 * Reads a multipart form part by part, in any order; the file is streamed to `takeFile`. A body that isn't such a form has neither file nor
 * fields.
 *
 * @param cap bytes of the whole body; counted here, because the parser only knows about parts
 * @throws DomainError `payload_too_large`; `incomplete_file` when the form ends inside the file; whatever `takeFile` throws
 */
export async function readForm<File>(
  message: IncomingMessage,
  cap: number,
  takeFile: (stream: Readable, fileName: string | undefined) => Promise<File>,
): Promise<FormParts<File>> {
  const form: FormParts<File> = { file: null, fields: new Map() };
  const parser = openParser(message);
  if (parser === null) return form;
  let taking: Promise<void> | null = null;
  parser.on('field', (name, value) => {
    if (!form.fields.has(name)) form.fields.set(name, value);
  });
  const failed = new Promise<never>((_resolve, reject) => {
    parser.on('file', (name, stream, { filename }) => {
      let isBroken = false;
      stream.on('error', () => {
        isBroken = true;
      });
      if (name !== 'file' || taking !== null) {
        stream.resume();
        return;
      }
      taking = takeFile(stream, filename).then(
        (file) => {
          form.file = file;
        },
        (error: unknown) => Promise.reject(isBroken ? catchFailure('incomplete_file') : error),
      );
      taking.catch(reject);
    });
  });
  failed.catch(() => undefined);
  try {
    await Promise.race([pump(message, parser, cap), failed]);
    await taking;
    return form;
  } catch (error) {
    parser.destroy(error instanceof Error ? error : undefined);
    await (taking as Promise<void> | null)?.catch(() => undefined);
    throw error;
  }
}

function openParser(message: IncomingMessage): busboy.Busboy | null {
  try {
    const parser = busboy({ headers: message.headers, defParamCharset: 'utf8', limits: LIMITS });
    return /^multipart\/form-data\b/i.test(message.headers['content-type'] ?? '') ? parser : null;
  } catch {
    return null;
  }
}

/** Feeds the parser and counts bytes. A malformed or truncated form is used as far as it got. */
async function pump(message: IncomingMessage, parser: busboy.Busboy, cap: number): Promise<void> {
  let malformed = false;
  const closed = new Promise<void>((resolve) => {
    parser.once('close', resolve);
    parser.once('error', () => {
      malformed = true;
      resolve();
    });
  });
  let bytes = 0;
  // An error still has to be sent, so the request must outlive its reader.
  for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > cap) throw bodyFailure('payload_too_large');
    if (malformed) continue;
    if (!parser.write(chunk)) await Promise.race([once(parser, 'drain').catch(() => undefined), closed]);
  }
  if (!malformed) parser.end();
  await closed;
}
