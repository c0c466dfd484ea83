import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of a backup with what it must contain. */
export interface BackedUpFile {
  /** Path below the backup's folder. */
  file: string;
  /** Lower-case hexadecimal SHA-256 of the content, before compression. */
  sha256: string;
}

/** The rows of one table, in PostgreSQL's text COPY format, compressed with gzip. */
export interface BackedUpTable extends BackedUpFile {
  schema: string;
  name: string;
  columns: string[];
  rows: number;
}

/** A partition that has to exist before its rows come back. */
export interface BackedUpPartition {
  schema: string;
  name: string;
  parentSchema: string;
  parent: string;
  /** For example `for values from ('2026-01-01') to ('2026-02-01')`. */
  bound: string;
  /** For example `range (received_at)`, when it is divided again. */
  dividedBy: string | null;
}

export interface BackedUpSequence {
  schema: string;
  name: string;
  value: string;
  isCalled: boolean;
}

export interface BackedUpObject extends BackedUpFile {
  key: string;
  bytes: number;
}

/** What one moment of the database looked like. */
export interface DatabaseSnapshot {
  /** Names of the migrations that had run, in order. */
  migrations: string[];
  /** Version of the job queue's tables; null without them. */
  jobQueue: string | null;
  tables: BackedUpTable[];
  partitions: BackedUpPartition[];
  sequences: BackedUpSequence[];
}

/** `manifest.json`: written last, so a backup that has one is complete. */
export interface BackupManifest {
  format: 1;
  createdAt: string;
  database: DatabaseSnapshot;
  objects: BackedUpObject[];
  /** Files of the installation, such as its secrets. */
  settings: BackedUpFile[];
}

/** Reads a backup's manifest. Throws in words for the operator when there is none or it is of another format. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => {
    throw new Error(`${folder} holds no complete backup: manifest.json is missing`);
  });
  const manifest = JSON.parse(text) as BackupManifest;
  if (manifest.format !== 1)
    throw new Error(`The backup in ${folder} has format ${manifest.format}; this version reads 1`);
  return manifest;
}
