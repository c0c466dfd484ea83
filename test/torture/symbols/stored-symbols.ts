import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { App } from '../../../src/app.js';
import { readEnv } from '../../../src/env.js';
import { createLogger } from '../../../src/kernel/logger.js';

/** What a database and its object store contain after a run and a sweep. */
export interface StoredFindings {
  acknowledged: number;
  rows: number;
  swept: number;
  /** Acknowledged uploads whose row or bytes are missing. */
  lost: number;
  rowsWithoutObject: number;
  objectsWithoutRow: number;
  temporaryFiles: number;
  /** The total of all faults above. */
  faults: number;
}

/** Sweeps as the scheduled job does long after uploads have ended, then compares rows, objects and acknowledgements. */
export async function sweepAndFind(
  settings: Record<string, string>,
  acknowledged: ReadonlyMap<string, string>,
): Promise<StoredFindings> {
  const env = readEnv(settings);
  const app = await App.open(
    {
      env,
      databaseUrl: settings.DATABASE_URL ?? '',
      jwtSecret: 'a secret that signs nothing here at all',
      clock: { now: () => new Date() },
      logger: createLogger('silent'),
    },
    false,
  );
  try {
    const later = new Date(Date.now() + 7 * 3_600_000);
    const swept = await app.services.symbolCleanup.sweepObjects(later);
    const { rows } = await app.pool.query<{ id: string; storage_path: string; sha256: string }>(
      'select id, storage_path, sha256 from symbol_artifact',
    );
    const hashes = new Map<string, string>();
    for await (const { key } of app.parts.objects.list('symbols/')) hashes.set(key, await hashOf(app, key));
    const hashOfRow = new Map(rows.map((row) => [row.id, hashes.get(row.storage_path)]));
    const owned = new Set(rows.map((row) => row.storage_path));
    const left = {
      lost: [...acknowledged].filter(([id, sha256]) => hashOfRow.get(id) !== sha256).length,
      rowsWithoutObject: rows.filter((row) => hashes.get(row.storage_path) !== row.sha256).length,
      objectsWithoutRow: [...hashes.keys()].filter((key) => !owned.has(key)).length,
      temporaryFiles: settings.S3_ENDPOINT
        ? await app.parts.objects.sweepUploads(later)
        : await strayFiles(join(env.dataDir, 'objects'), hashes.size),
    };
    const faults = Object.values(left).reduce((sum, count) => sum + count, 0);
    return { acknowledged: acknowledged.size, rows: rows.length, swept, ...left, faults };
  } finally {
    await app.close();
  }
}

export function findingsText(found: StoredFindings): string {
  return (
    `${found.acknowledged} acknowledged, ${found.lost} lost; ${found.rows} rows, ${found.rowsWithoutObject} without object; ` +
    `${found.swept} left-overs swept, then ${found.objectsWithoutRow} objects without row, ${found.temporaryFiles} temporary files`
  );
}

async function hashOf(app: App, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await app.parts.objects.get(key)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Files below a folder in excess of the listed objects. */
async function strayFiles(folder: string, objects: number): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length - objects;
}
