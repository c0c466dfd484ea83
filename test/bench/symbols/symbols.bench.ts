import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, fsyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { memoryMib, resetPeakMemory } from '../../harness/cpu.js';
import { alternate } from '../../harness/rounds.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';

export const name = 'symbols';

const MEGABYTES = 500;
const BLOCK = 1_000_000;

/** A 500 MB symbol upload, compared with hashing the same file and copying it durably. */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-bench-'));
  try {
    const file = join(folder, 'large.map');
    writeRandomFile(file);
    const server = await bench.startServer({ env: { ROLE: 'api', LOG_LEVEL: 'error' } });
    const { tokens } = await server.firstRun();
    const sha256 = execFileSync('sha256sum', [file], { encoding: 'utf8' }).slice(0, 64);
    const grown: number[] = [];
    let release = 0;
    const { product, peer } = await alternate(bench.rounds, {
      product: async () => {
        const idle = memoryMib(server.pid).now;
        resetPeakMemory(server.pid);
        const started = performance.now();
        const artifact = await upload(server.url, tokens.owner, file, `r${++release}-${Date.now()}`);
        const seconds = (performance.now() - started) / 1000;
        if (artifact.sha256 !== sha256) throw new Error('the server hashed something else');
        grown.push(memoryMib(server.pid).peak - idle);
        await fetch(`${server.url}/api/v1/catch/symbols/${artifact.id}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${tokens.owner}` },
        });
        return MEGABYTES / seconds;
      },
      peer: async () => {
        const started = performance.now();
        execFileSync('sha256sum', [file]);
        await copyDurably(file, join(folder, 'copy'));
        return MEGABYTES / ((performance.now() - started) / 1000);
      },
    });
    return [
      row({
        path: 'symbol upload, 500 MB',
        unit: 'MB/s',
        values: product,
        peer: { what: 'sha256sum plus a synced copy', values: peer },
        goal: { atLeast: 0.7 },
      }),
      row({ path: 'symbol upload, memory above idle', unit: 'MiB', values: grown, goal: { atMost: 64 } }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function writeRandomFile(path: string): void {
  const descriptor = openSync(path, 'w');
  const block = randomBytes(BLOCK);
  for (let index = 0; index < MEGABYTES; index++) {
    block.writeUInt32LE(index, 0);
    writeSync(descriptor, block);
  }
  fsyncSync(descriptor);
  closeSync(descriptor);
}

async function copyDurably(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from, { highWaterMark: 1 << 20 }), createWriteStream(to));
  const copy = await open(to, 'r');
  await copy.sync();
  await copy.close();
  await rm(to);
}

function upload(url: string, token: string, file: string, release: string): Promise<{ id: string; sha256: string }> {
  const boundary = 'quarterdeck-bench';
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = `${part('kind', 'js_sourcemap')}${part('release', release)}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.map"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1/catch/symbols`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': Buffer.byteLength(head) + MEGABYTES * BLOCK + Buffer.byteLength(tail),
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        if (response.statusCode === 201) resolve(JSON.parse(text).artifact);
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    });
    sent.write(head);
    const source = createReadStream(file, { highWaterMark: 1 << 18 });
    source.on('end', () => sent.end(tail));
    source.pipe(sent, { end: false });
  });
}
