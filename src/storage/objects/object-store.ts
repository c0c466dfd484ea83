import type { Readable } from 'node:stream';
import { DomainError } from '../../kernel/errors.js';

export interface PutReceipt {
  bytes: number;
  /** Lowercase hex SHA-256 of the content. */
  sha256: string;
}

export interface StoredObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/** Bytes `first` to `last`, inclusive and 0-based. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Private storage for large files under keys such as `symbols/<project>/<artifact>`. Keys can be any text of at most
 * 1,024 bytes and never reach outside the store. A key cannot also be the folder of another key. Every method throws
 * {@link ObjectStoreUnavailable} when the store is unavailable or full.
 */
export interface ObjectStore {
  /**
   * Stores a stream. When it resolves, the object survives a power failure; when it rejects (source failed, signal
   * aborted, store full), nothing of it is left. An existing object with that key is replaced atomically.
   */
  put(key: string, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<PutReceipt>;
  /** Opens an object for reading. Throws {@link ObjectNotFound}. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  stat(key: string): Promise<StoredObject | undefined>;
  /** Removes an object; a missing one is not an error. */
  delete(key: string): Promise<void>;
  /** All objects whose key begins with `prefix`, for sweeps and backups. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Removes leftovers of uploads started before `before` whose process died. Returns their number. */
  sweepUploads(before: Date): Promise<number>;
  /** A link that lets anyone download the object as `fileName` until it expires. */
  temporaryUrl(key: string, link: TemporaryLink): Promise<string>;
  /** Resolves if the store is writable now, or throws. */
  check(): Promise<void>;
}

/** How long a download link is valid from `now`, and the file name the browser uses. */
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

/** The store is unreachable, full or refuses to write; the same request may succeed later. */
export class ObjectStoreUnavailable extends DomainError<'unavailable'> {
  constructor(cause: unknown) {
    super('unavailable', 'The object store cannot be used at the moment; try again shortly.');
    this.cause = cause;
    this.name = 'ObjectStoreUnavailable';
  }
}
