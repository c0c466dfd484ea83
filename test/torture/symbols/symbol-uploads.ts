import { createHash, randomBytes } from 'node:crypto';
import type { ServerProcess } from '../../harness/server-process.js';
import { Client } from '../../support/client.js';
import { artifactOf, uploadSymbols } from '../../support/symbols/symbol-client.js';

/** More than one block in the disk store and one part in the bucket. */
const FILE_BYTES = 9 * 1024 * 1024;

/** Uploads random files one after another and remembers which were acknowledged. */
export class SymbolUploads {
  /** Hash of each file as sent, by artifact. */
  readonly acknowledged = new Map<string, string>();

  constructor(private readonly token: string) {}

  /** The status, or null if the server went away. */
  async send(server: ServerProcess, size = FILE_BYTES): Promise<number | null> {
    const bytes = randomBytes(size);
    const client = new Client(server.url).withToken(this.token);
    const file = { name: 'app.js.map', bytes };
    const answer = await uploadSymbols(client, file, { kind: 'js_sourcemap' }).catch(() => null);
    if (answer?.status === 201)
      this.acknowledged.set(artifactOf(answer).id, createHash('sha256').update(bytes).digest('hex'));
    return answer?.status ?? null;
  }
}
