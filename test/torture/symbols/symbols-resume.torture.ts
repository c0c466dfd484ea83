import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PART_BYTES } from '../../../src/modules/catch/symbols/resumable/upload-progress.js';
import { freePort } from '../../harness/server-process.js';
import { symbolsCommand } from '../../support/symbols/symbols-command.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { sweepAndFind } from './stored-symbols.js';
import { HOOK } from './symbols-kill.torture.js';
import { PART_BEGUN, STEP_SETTINGS } from './upload-steps.js';

export const name = 'symbols-resume';
/** Size of the file in megabytes. */
export const usualCount = 500;

const MOST_AGAIN = 64_000_000;

interface Result {
  files: { status: string; sent_bytes: number; artifact_id: string | null; sha256: string; reason: string | null }[];
}

/** Kills the server after half of a large file has arrived, restarts it, and checks what the command sent. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-resume-'));
  const size = torture.count * 1_000_000;
  const file = join(folder, 'libgame.so');
  const databaseUrl = await torture.createDatabase();
  const database = new pg.Client(databaseUrl);
  try {
    const sha256 = await writeRandom(file, size);
    await database.connect();
    const env = { DATABASE_URL: databaseUrl, PORT: String(await freePort()), LOG_LEVEL: 'error' };
    const dataDir = join(folder, 'data');
    const step = { [STEP_SETTINGS.step]: PART_BEGUN, [STEP_SETTINGS.upload]: String(Math.ceil(size / PART_BYTES / 2)) };
    const server = await torture.startServer({
      env: { ...env, ...step },
      dataDir,
      nodeArguments: ['--import', HOOK],
    });
    const token = (await server.firstRun()).tokens.owner;
    const settings = { QUARTERDECK_URL: server.url, QUARTERDECK_TOKEN: token };
    const ended = symbolsCommand({ env: settings }, 'upload', '--kind', 'android_ndk', '--wait', '0', '--json', file);
    const receivedBytes = async () => {
      const { rows } = await database.query<{ sum: string | null }>('select sum(size_bytes) from symbol_upload_part');
      return Number(rows[0]?.sum ?? 0);
    };
    // It kills itself once half of the file has been sent.
    await server.end('SIGCONT');
    const kept = await receivedBytes();
    await torture.startServer({ env, dataDir });
    const { code, results, messages } = await ended;
    const [sent] = (JSON.parse(results || '{"files":[]}') as Result).files;
    const again = (sent?.sent_bytes ?? 0) - size;
    const isThere = code === 0 && sent?.status === 'stored' && sent.sha256 === sha256 && sent.artifact_id !== null;
    const found = await sweepAndFind(
      { ...env, DATA_DIR: dataDir },
      new Map(sent?.artifact_id ? [[sent.artifact_id, sha256]] : []),
    );
    return [
      {
        promise: 'an upload of symbols goes on where it was when the server was killed, with at most 64 MB sent twice',
        seen:
          `${torture.count} MB, killed at ${Math.round(kept / 1e6)} MB, ${(again / 1e6).toFixed(1)} MB sent twice, ` +
          `${found.lost} lost, ${found.objectsWithoutRow} objects without row${isThere ? '' : `; ended ${code}: ${messages}`}`,
        held: isThere && kept > 0 && kept < size && again >= 0 && again <= MOST_AGAIN && found.faults === 0,
      },
    ];
  } finally {
    await database.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeRandom(path: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx');
  try {
    for (let left = size; left > 0; ) {
      const bytes = randomBytes(Math.min(left, 4_000_000));
      hash.update(bytes);
      await file.write(bytes);
      left -= bytes.length;
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}
