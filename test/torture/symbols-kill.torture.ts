import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort, type ServerProcess } from '../harness/server-process.js';
import type { TortureContext, TortureRow } from './torture.js';

export const name = 'symbols-kill';
export const usualCount = 50;

const FILE_BYTES = 4 * 1024 * 1024;
/** An upload of that size takes about this long, so kills fall on each of its steps. */
const UPLOAD_MS = 250;

/** Kills the server with SIGKILL during uploads; every 201 must have its object, and the sweep must leave nothing else. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const databaseUrl = await torture.createDatabase();
  const env = { DATABASE_URL: databaseUrl, PORT: String(await freePort()), ROLE: 'api', LOG_LEVEL: 'error' };
  let server: ServerProcess = await torture.startServer({ env });
  const { tokens } = await server.firstRun();
  const { url, dataDir } = server;
  const acknowledged = new Map<string, string>();
  for (let kill = 0; kill < torture.count; kill++) {
    const uploads = [upload(url, tokens.owner, acknowledged), upload(url, tokens.owner, acknowledged)];
    await sleep(Math.random() * UPLOAD_MS);
    await server.end('SIGKILL');
    await Promise.all(uploads);
    server = await torture.startServer({ dataDir, env: { ...env, FIRST_RUN: 'off' } });
    await upload(url, tokens.owner, acknowledged);
    if ((kill + 1) % 10 === 0) torture.log(`${kill + 1} kills, ${acknowledged.size} acknowledged`);
  }
  await server.end();
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const { rows } = await database.query<{ id: string; storage_path: string; size_bytes: string }>(
    'select id, storage_path, size_bytes from symbol_artifact',
  );
  await database.end();
  const stored = new Map(rows.map((row) => [row.id, row]));
  let lost = 0;
  for (const [id] of acknowledged) {
    const row = stored.get(id);
    const found = row && (await stat(join(dataDir, 'objects', row.storage_path)).catch(() => null));
    if (!row || !found || found.size !== Number(row.size_bytes)) lost += 1;
  }
  const bare = await rowsWithoutObject(dataDir, rows);
  const orphans = await filesWithoutRow(join(dataDir, 'objects'), new Set(rows.map((row) => row.storage_path)));
  return [
    {
      promise: 'a 201 for a symbol is durable, and no row is without its object',
      seen: `${torture.count} kills, ${acknowledged.size} acknowledged, ${lost} lost, ${bare} rows without object, ${orphans} files for the sweep`,
      held: acknowledged.size > 0 && lost === 0 && bare === 0,
    },
  ];
}

async function upload(url: string, token: string, acknowledged: Map<string, string>): Promise<void> {
  const form = new FormData();
  form.set('kind', 'js_sourcemap');
  form.set('file', new Blob([randomBytes(FILE_BYTES)]), 'app.js.map');
  try {
    const answer = await fetch(`${url}/api/v1/catch/symbols`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer.status !== 201) return;
    const { artifact } = (await answer.json()) as { artifact: { id: string; sha256: string } };
    acknowledged.set(artifact.id, artifact.sha256);
  } catch {
    // The server was killed under the upload: nothing was promised.
  }
}

async function rowsWithoutObject(dataDir: string, rows: { storage_path: string }[]): Promise<number> {
  let count = 0;
  for (const { storage_path } of rows) {
    const stream = createReadStream(join(dataDir, 'objects', storage_path), { end: 0 });
    await new Promise<void>((resolve) => {
      stream.once('error', () => {
        count += 1;
        resolve();
      });
      stream.once('data', () => resolve());
    });
    stream.destroy();
  }
  return count;
}

async function filesWithoutRow(folder: string, owned: ReadonlySet<string>): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return paths.filter((path) => !owned.has(path)).length;
}
