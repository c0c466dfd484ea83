import { createHash } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { awaitReading } from '../../../src/cli/server/await-reading.js';
import { uploadFile } from '../../../src/cli/server/upload-file.js';
import { uploadInParts } from '../../../src/cli/server/upload-in-parts.js';
import type { CliSettings } from '../../../src/cli/settings/settings.js';
import { PART_BYTES } from '../../../src/modules/catch/symbols/resumable/upload-progress.js';
import type { World } from '../../support/factories/factories.js';
import { worldPerTestSuite } from '../../support/factories/world-suite.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import { folderPerTest } from '../../support/symbols/folder-per-test.js';
import { SMALL_MAP } from '../../support/symbols/symbol-client.js';

const PATIENCE_MS = 3_000;

/** A connection to a server that records what passed over it. */
class SlowLine {
  readonly parts: string[] = [];
  url = '';
  private readonly server: Server;

  private constructor(private readonly target: string) {
    this.server = createServer((incoming, answer) => void this.carry(incoming, answer));
  }

  static async open(target: string): Promise<SlowLine> {
    const line = new SlowLine(target);
    line.url = await openLocally(line.server);
    return line;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** The first half of the first part is slow, and the second part stalls the first time. */
  private async carry(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method, url = '', headers } = incoming;
    const offset = /\/parts\/(\d+)$/.exec(url)?.[1];
    const isFirst = offset !== undefined && !this.parts.includes(offset);
    if (offset !== undefined) this.parts.push(offset);
    if (isFirst && Number(offset) > 0) return;
    const onward = httpRequest(`${this.target}${url}`, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(answer);
    });
    let carried = 0;
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      onward.write(chunk);
      carried += chunk.length;
      if (offset === '0' && carried < PART_BYTES / 2) await sleep(chunk.length / 600);
    }
    onward.end();
  }
}

const slow = worldPerTestSuite<{ folder: string }>('symbols over slow lines', { worker: true });
folderPerTest(slow);

const settingsOf = (url: string, { owner }: World): CliSettings => ({
  url,
  token: owner.token,
  patienceMs: PATIENCE_MS,
});

slow('waits for a part that makes progress, and resends one that stalls', async ({ test, world, folder }) => {
  const path = join(folder, 'app.js.map');
  const map = { version: 3, sources: ['a.ts'], sourcesContent: ['x'.repeat(PART_BYTES)], names: [], mappings: 'AAAA' };
  await writeFile(path, JSON.stringify(map));
  const sha256 = createHash('sha256').update(JSON.stringify(map)).digest('hex');
  const fields = { kind: 'js_sourcemap', release: '1.0' };
  const file = { path, name: 'app.js.map', sizeBytes: (await stat(path)).size, sha256, fields };
  const line = await SlowLine.open(test.baseUrl);
  const notices: string[] = [];
  const began = performance.now();
  const none = () => undefined;
  try {
    const settings = settingsOf(line.url, world);
    const artifact = await uploadInParts(settings, file, none, none, (notice) => notices.push(notice));
    assert.is(artifact.sha256, sha256);
  } finally {
    line.close();
  }
  assert.ok(
    performance.now() - began > 2 * PATIENCE_MS,
    'the first part took longer than the time limit without progress',
  );
  assert.equal(line.parts, ['0', String(PART_BYTES), String(PART_BYTES)]);
  assert.equal(notices, [`the server at ${line.url} is too slow: no data for 3 s; retrying in 1 s`]);
});

slow('slow files do not keep later ones from being reported as processed', async ({ test, world, folder }) => {
  const path = join(folder, 'app.js.map');
  await writeFile(path, SMALL_MAP);
  const settings = settingsOf(test.baseUrl, world);
  const sha256 = createHash('sha256').update(SMALL_MAP).digest('hex');
  const fields = { kind: 'js_sourcemap', release: '1.0' };
  const file = { path, name: 'app.js.map', sizeBytes: SMALL_MAP.length, sha256, fields };
  const read = await uploadFile(settings, file, () => undefined);
  // Deleted files are never reported again.
  const slowOnes = Array.from({ length: 250 }, (_, at) => ({
    id: `sym_${at}`,
    sha256: createHash('sha256').update(String(at)).digest('hex'),
  }));
  const place = { project: read.project_id, environment: read.environment };
  assert.is((await awaitReading(settings, place, [read], 60_000)).waiting.size, 0);
  const { waiting } = await awaitReading(settings, place, [...slowOnes, read], 1_000);
  assert.equal(waiting, new Set(slowOnes.map(({ id }) => id)));
});

slow.run();
