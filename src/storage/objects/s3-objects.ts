import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { originalKey, storedKey, storedPrefix } from './object-keys.js';
import {
  type ByteRange,
  ObjectNotFound,
  type ObjectStore,
  ObjectStoreUnavailable,
  type PutReceipt,
  type StoredObject,
  type TemporaryLink,
} from './object-store.js';
import { uploadToS3 } from './s3-upload.js';

/** An S3-compatible bucket; without keys the SDK uses its default sources (environment, instance). */
export interface S3ObjectsOptions {
  endpoint: string;
  /** The endpoint as users reach it, for download links. Default: the endpoint itself. */
  publicEndpoint?: string | null;
  region: string;
  bucket: string;
  accessKeyId?: string | null;
  secretAccessKey?: string | null;
}

/** Longest wait for the answer to a check. */
const CHECK_MS = 5_000;

/** Objects in a bucket. The bucket must exist. */
export class S3Objects implements ObjectStore {
  private readonly client: S3Client;
  private readonly signer: S3Client;
  private readonly bucket: string;
  /** All callers share one check: a bucket that does not answer would otherwise hold a connection for every probe. */
  private checking: Promise<void> | null = null;

  constructor({ endpoint, publicEndpoint, region, bucket, accessKeyId, secretAccessKey }: S3ObjectsOptions) {
    this.bucket = bucket;
    const settings: S3ClientConfig = {
      region,
      forcePathStyle: true,
      credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
      // Non-Amazon servers may not support the checksum headers that the SDK adds by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // A request to a bucket that never answers fails within 60 s, when proxies give up.
      maxAttempts: 2,
      requestHandler: { connectionTimeout: 3000, socketTimeout: 25_000 },
    };
    this.client = new S3Client({ ...settings, endpoint });
    this.signer = publicEndpoint ? new S3Client({ ...settings, endpoint: publicEndpoint }) : this.client;
  }

  async put(key: string, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<PutReceipt> {
    const target = this.target(key);
    const watched = watch(source);
    try {
      return await uploadToS3(this.client, target, watched.source, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw watched.failed() ? error : new ObjectStoreUnavailable(error);
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({ ...this.target(key), Range: range && `bytes=${range.first}-${range.last}` });
    try {
      const { Body } = await this.client.send(command);
      return Body as Readable;
    } catch (error) {
      throw isMissing(error) ? new ObjectNotFound(key) : new ObjectStoreUnavailable(error);
    }
  }

  async stat(key: string): Promise<StoredObject | undefined> {
    const command = new HeadObjectCommand(this.target(key));
    try {
      const found = await this.client.send(command);
      return { key, bytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw new ObjectStoreUnavailable(error);
    }
  }

  async delete(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.target(key))).catch((error: unknown) => {
      if (!isAbsent(error)) throw new ObjectStoreUnavailable(error);
    });
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket, Prefix: storedPrefix(prefix) });
    try {
      for await (const page of pages) {
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          const key = originalKey(Key ?? '');
          if (key !== undefined) yield { key, bytes: Size ?? 0, modifiedAt: LastModified ?? new Date(0) };
        }
      }
    } catch (error) {
      throw new ObjectStoreUnavailable(error);
    }
  }

  async sweepUploads(before: Date): Promise<number> {
    let removed = 0;
    let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
    try {
      while (marker) {
        const page: ListMultipartUploadsCommandOutput = await this.client.send(
          new ListMultipartUploadsCommand({ Bucket: this.bucket, ...marker }),
        );
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          if (!Initiated || Initiated >= before) continue;
          await this.client.send(new AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }));
          removed += 1;
        }
        marker = page.IsTruncated
          ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
          : undefined;
      }
    } catch (error) {
      // Some servers cannot list unfinished uploads; there the bucket's own rules must remove them.
      if (!isNotImplemented(error)) throw new ObjectStoreUnavailable(error);
    }
    return removed;
  }

  async temporaryUrl(key: string, { now, expiresInSeconds, fileName }: TemporaryLink): Promise<string> {
    const ResponseContentDisposition = `attachment; filename*=UTF-8''${encodeURIComponent(fileName.toWellFormed())}`;
    const command = new GetObjectCommand({ ...this.target(key), ResponseContentDisposition });
    return getSignedUrl(this.signer, command, { expiresIn: expiresInSeconds, signingDate: now });
  }

  check(): Promise<void> {
    this.checking ??= this.headBucket().finally(() => {
      this.checking = null;
    });
    return this.checking;
  }

  private async headBucket(): Promise<void> {
    const abortSignal = AbortSignal.timeout(CHECK_MS);
    await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }), { abortSignal }).catch((error: unknown) => {
      const isLate = abortSignal.aborted;
      throw new ObjectStoreUnavailable(isLate ? new Error(`no answer in ${CHECK_MS / 1000} s`) : error);
    });
  }

  private target(key: string) {
    return { Bucket: this.bucket, Key: storedKey(key) };
  }
}

/** Distinguishes an error of the uploaded stream from one of the store. */
function watch(source: AsyncIterable<Uint8Array>) {
  let failed = false;
  async function* passOn() {
    try {
      yield* source;
    } catch (error) {
      failed = true;
      throw error;
    }
  }
  return { source: passOn(), failed: () => failed };
}

/** The bucket says so itself; any other 404 comes from something in front of it, or there is no such bucket. */
function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === 'NoSuchKey';
}

/** Where a 404 cannot say more, because the answer has no body, or where nothing is lost. */
function isAbsent(error: unknown): boolean {
  return isMissing(error) || (error instanceof S3ServiceException && error.name === 'NotFound');
}

function isNotImplemented(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 501;
}
