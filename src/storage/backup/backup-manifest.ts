import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { writeWhole } from '../objects/durable-files.js';
import { TABLE_PACKINGS } from './table-packings.js';

const MANIFEST = 'manifest.json';
/** As `sha256sum` writes and checks it. Missing in backups from earlier releases. */
const MANIFEST_HASH = 'manifest.sha256';

const Count = Type.Integer({ minimum: 0 });

const File = Type.Object({
  /** Path relative to the backup's folder. */
  file: Type.String({ pattern: '^(?!(?:.*/)?\\.\\.(?:/|$))[^/]' }),
  /** Lowercase hex SHA-256 of the file; in format 1, of a table's rows before compression. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

const Table = Type.Interface([File], {
  schema: Type.String(),
  name: Type.String(),
  columns: Type.Array(Type.String()),
  /** The parent table of a detached partition. Missing in backups from earlier releases. */
  comment: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  rows: Count,
});

const Partition = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  parentSchema: Type.String(),
  parent: Type.String(),
  /** For example `for values from ('2026-01-01') to ('2026-02-01')`. */
  bound: Type.String(),
  /** For example `range (received_at)`, when it is subpartitioned. */
  dividedBy: Type.Union([Type.String(), Type.Null()]),
});

const Sequence = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  value: Type.String({ pattern: '^-?\\d+$' }),
  isCalled: Type.Boolean(),
});

const StoredObject = Type.Interface([File], { key: Type.String(), bytes: Count });

const LostObject = Type.Object({
  key: Type.String(),
  /** The table with the row that refers to it. */
  table: Type.String(),
});

const Snapshot = Type.Object({
  /** Names of the applied migrations, in order. */
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  /** Version of the job queue's tables; null without them. */
  jobQueue: Type.Union([Type.String(), Type.Null()]),
  tables: Type.Array(Table),
  partitions: Type.Array(Partition),
  sequences: Type.Array(Sequence),
});

const Manifest = Type.Object({
  format: Type.Union([Type.Literal(1), Type.Literal(2)]),
  createdAt: Type.String(),
  database: Snapshot,
  objects: Type.Array(StoredObject),
  /**
   * Objects that rows refer to but the store no longer had; empty for a complete backup. Missing in backups from
   * earlier releases.
   */
  lost: Type.Optional(Type.Array(LostObject)),
  /** Files of the installation, such as its secrets. */
  settings: Type.Array(File),
});

export type BackedUpFile = Static<typeof File>;
/** The rows of one table, compressed according to `TABLE_PACKINGS`. */
export type BackedUpTable = Static<typeof Table>;
/** A partition that must exist before its rows are restored. */
export type BackedUpPartition = Static<typeof Partition>;
export type BackedUpSequence = Static<typeof Sequence>;
export type BackedUpObject = Static<typeof StoredObject>;
export type LostObject = Static<typeof LostObject>;
export type DatabaseSnapshot = Static<typeof Snapshot>;
/** `manifest.json`, written last, so a backup with one is complete. */
export type BackupManifest = Static<typeof Manifest>;

/** Writes a backup's manifest, with its hash beside it. */
export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeWhole(join(folder, MANIFEST_HASH), `${hash('sha256', text)}  ${MANIFEST}\n`);
  await writeWhole(join(folder, MANIFEST), text);
}

/** Reads a backup's manifest. Throws a readable error when it is missing, damaged or has another format. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, MANIFEST);
  const text = await read(folder, path);
  const manifest = parsed(text, path);
  if (Check(Manifest, manifest)) {
    await requireSameHash(folder, text);
    return manifest;
  }
  const format = (manifest as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && !(format in TABLE_PACKINGS))
    throw new Error(
      `The backup in ${folder} has format ${format}; this version supports ${Object.keys(TABLE_PACKINGS).join(' and ')}`,
    );
  const [wrong] = Errors(Manifest, manifest);
  throw new Error(`${path} is damaged: ${wrong?.instancePath || 'the whole'} is not what a backup writes there`);
}

async function requireSameHash(folder: string, text: string): Promise<void> {
  const path = join(folder, MANIFEST_HASH);
  const recorded = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${path} cannot be read: ${error.message}`);
  });
  if (recorded !== null && !recorded.startsWith(hash('sha256', text)))
    throw new Error(`${join(folder, MANIFEST)} is damaged: its SHA-256 differs from the one in ${MANIFEST_HASH}`);
}

async function read(folder: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    throw new Error(
      isMissing
        ? `${folder} contains no complete backup: manifest.json is missing`
        : `${path} cannot be read: ${message}`,
    );
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${path} is damaged: it is not valid JSON or is truncated`);
  }
}
