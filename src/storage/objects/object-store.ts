import type { Readable } from 'node:stream';
import { DomainError } from '../../kernel/errors.js';

/** What a finished `put` knows about the bytes. */
export interface PutReceipt {
  bytes: number;
  /** Lower-case hexadecimal SHA-256 of the content. */
  sha256: string;
}

/** An object as `list` and `stat` show it. */
export interface StoredObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/** Bytes `first` to `last`, both included, counted from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Private storage for large files under keys such as `symbols/<project>/<artifact>`. Keys have at most 1,024 bytes and
 * may hold any text; they never reach outside the store. A key is not also the folder of another key.
 * Every method throws {@link ObjectStoreUnavailable} when the store is away or full.
 */
export interface ObjectStore {
  /**
   * Stores a stream. When it resolves, the object survives a power cut; when it rejects (source failed, signal aborted,
   * store full), neither the object nor a part of it is left. An object of that key is replaced at once and whole.
   */
  put(key: string, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<PutReceipt>;
  /** Opens an object for reading. Throws {@link ObjectNotFound}. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  stat(key: string): Promise<StoredObject | undefined>;
  /** Removes an object; it is no error when there is none under that key. */
  delete(key: string): Promise<void>;
  /** All objects whose key begins with `prefix`, for sweeps and backups. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Removes what uploads begun before `before` left behind when their process died. Returns how many. */
  sweepUploads(before: Date): Promise<number>;
  /** A link that lets anybody with it download the object under `fileName` until it expires. */
  temporaryUrl(key: string, link: TemporaryLink): Promise<string>;
  /** Whether the store can be written now; resolves, or throws. */
  check(): Promise<void>;
}

/** How long a download link lives, counted from `now`, and the name the browser saves under. */
export interface TemporaryLink {
  now: Date;
  expiresInSeconds: number;
  fileName: string;
}

/** What the S3 client throws where no key is set and none is found anywhere else. */
export const lacksKey = (cause: unknown): boolean =>
  cause instanceof Error && cause.name === 'CredentialsProviderError';

/** What to do then. */
export const SET_KEY = 'set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY';

export class ObjectNotFound extends Error {
  constructor(readonly key: string) {
    super('No such object');
    this.name = 'ObjectNotFound';
  }
}

/** The store cannot be reached, is full or refuses to write; the same request may succeed later. */
export class ObjectStoreUnavailable extends DomainError<'unavailable'> {
  constructor(cause: unknown) {
    super('unavailable', 'The object store cannot be used at the moment; try again shortly.');
    this.cause = cause;
    this.name = 'ObjectStoreUnavailable';
  }
}
