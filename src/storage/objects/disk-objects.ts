import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { DiskProbe } from './disk-probe.js';
import { writeDurably } from './disk-upload.js';
import { makeFolder, syncFolder } from './durable-files.js';
import { originalKey, storedKey, storedPrefix } from './object-keys.js';
import { signObjectLink } from './object-links.js';
import {
  type ByteRange,
  ObjectNotFound,
  type ObjectStore,
  ObjectStoreUnavailable,
  type PutReceipt,
  type StoredObject,
  type TemporaryLink,
} from './object-store.js';

const UPLOADS_FOLDER = '.uploads';
const RENAME_ATTEMPTS = 5;
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
const OUT_OF_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE'];
const REFUSED = ['EIO', 'EROFS', 'EACCES', 'EPERM'];
/** There is a file where a folder should be, or a folder where a file should be. */
const IN_THE_WAY = ['ENOTDIR', 'EEXIST', 'EISDIR', 'ENOTEMPTY'];
const STORE_TROUBLE = new Set([...OUT_OF_ROOM, ...REFUSED, ...IN_THE_WAY]);

/** Where objects are stored on disk, and how links to them begin and are signed. */
export interface DiskObjectsOptions {
  folder: string;
  /** URL that the signed part is appended to, without a trailing slash. */
  linkBase: string;
  linkSecret: string;
}

/** Objects as files in one folder, one file per object under its key. */
export class DiskObjects implements ObjectStore {
  private readonly folder: string;
  private readonly probe: DiskProbe;

  constructor(private readonly options: DiskObjectsOptions) {
    this.folder = resolve(options.folder);
    this.probe = new DiskProbe(join(this.folder, UPLOADS_FOLDER));
  }

  async put(key: string, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<PutReceipt> {
    const target = this.path(key);
    const uploads = join(this.folder, UPLOADS_FOLDER);
    const draft = join(uploads, randomUUID());
    try {
      await makeFolder(uploads);
      const file = await open(draft, 'wx', 0o600);
      let receipt: PutReceipt;
      try {
        receipt = await writeDurably(file, source, signal);
      } finally {
        await file.close();
      }
      await this.moveIn(draft, target);
      return receipt;
    } catch (error) {
      // The first error counts; a draft that cannot be removed is swept later.
      await rm(draft, { force: true }).catch(() => undefined);
      throw storeError(error);
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    try {
      const file = await open(this.path(key), 'r');
      if (!(await file.stat()).isFile()) {
        await file.close();
        throw new ObjectNotFound(key);
      }
      return file.createReadStream(range && { start: range.first, end: range.last });
    } catch (error) {
      throw isAbsent(error) ? new ObjectNotFound(key) : storeError(error);
    }
  }

  async stat(key: string): Promise<StoredObject | undefined> {
    try {
      const found = await stat(this.path(key));
      return found.isFile() ? { key, bytes: found.size, modifiedAt: found.mtime } : undefined;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw storeError(error);
    }
  }

  async delete(key: string): Promise<void> {
    const path = this.path(key);
    try {
      await unlink(path);
      await syncFolder(dirname(path));
    } catch (error) {
      if (!isAbsent(error)) throw storeError(error);
    }
    await this.removeEmpty(dirname(path));
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    const begins = storedPrefix(prefix);
    yield* this.walk(begins.slice(0, begins.lastIndexOf('/') + 1), begins);
  }

  async sweepUploads(before: Date): Promise<number> {
    const uploads = join(this.folder, UPLOADS_FOLDER);
    let removed = 0;
    for (const name of await readdir(uploads).catch(() => [])) {
      const found = await stat(join(uploads, name)).catch(() => undefined);
      if (!found || found.mtime >= before) continue;
      await rm(join(uploads, name), { force: true });
      removed += 1;
    }
    return removed;
  }

  async temporaryUrl(key: string, { now, expiresInSeconds, fileName }: TemporaryLink): Promise<string> {
    const expiresAt = new Date(now.getTime() + expiresInSeconds * 1000);
    return `${this.options.linkBase}/${signObjectLink(this.options.linkSecret, { key, fileName }, expiresAt)}`;
  }

  async check(): Promise<void> {
    try {
      await this.probe.check();
    } catch (error) {
      throw storeError(error);
    }
  }

  private path(key: string): string {
    return join(this.folder, storedKey(key));
  }

  /** A delete may remove the still empty folder before the rename; then it is created again. */
  private async moveIn(draft: string, target: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const made = await makeFolder(dirname(target));
        await rename(draft, target);
        await this.syncUpTo(dirname(target), made ? dirname(made) : dirname(target));
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === RENAME_ATTEMPTS) throw error;
      }
    }
  }

  private async syncUpTo(folder: string, top: string): Promise<void> {
    for (let at = folder; ; at = dirname(at)) {
      await syncFolder(at);
      if (at === top || at === dirname(at)) return;
    }
  }

  private async removeEmpty(folder: string): Promise<void> {
    for (let at = folder; at.startsWith(`${this.folder}/`); at = dirname(at)) {
      const removed = await rmdir(at).then(
        () => true,
        () => false,
      );
      if (!removed) return;
    }
  }

  private async *walk(folder: string, begins: string): AsyncIterable<StoredObject> {
    let entries: Dirent[];
    try {
      entries = await readdir(join(this.folder, folder), { withFileTypes: true });
    } catch (error) {
      if (isAbsent(error)) return;
      throw storeError(error);
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const stored = folder + entry.name;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) {
        if (`${stored}/`.startsWith(begins) || begins.startsWith(`${stored}/`)) yield* this.walk(`${stored}/`, begins);
      } else if (entry.isFile() && stored.startsWith(begins)) {
        const key = originalKey(stored);
        const object = key === undefined ? undefined : await this.stat(key);
        if (object) yield object;
      }
    }
  }
}

const isAbsent = (error: unknown): boolean => ABSENT.has((error as NodeJS.ErrnoException).code ?? '');

function storeError(error: unknown): unknown {
  return STORE_TROUBLE.has((error as NodeJS.ErrnoException).code ?? '') ? new ObjectStoreUnavailable(error) : error;
}
