import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { PutReceipt } from './object-store.js';

const PART_BYTES = 8 * 1024 * 1024;
const PARTS_IN_FLIGHT = 2;

interface Target {
  Bucket: string;
  Key: string;
}

/**
 * Uploads a stream: in one request up to 8 MiB, else as a multipart upload with at most three parts in memory. A failed
 * multipart upload is aborted, so nothing of it is kept.
 */
export async function uploadToS3(
  client: S3Client,
  target: Target,
  source: AsyncIterable<Uint8Array>,
  abortSignal?: AbortSignal,
): Promise<PutReceipt> {
  const hash = createHash('sha256');
  let bytes = 0;
  let upload: MultipartUpload | undefined;
  try {
    for await (const { part, last } of parts(source)) {
      abortSignal?.throwIfAborted();
      hash.update(part);
      bytes += part.byteLength;
      if (last && !upload) {
        await client.send(new PutObjectCommand({ ...target, Body: part, ContentLength: part.byteLength }), {
          abortSignal,
        });
      } else {
        upload ??= await MultipartUpload.begin(client, target, abortSignal);
        await upload.add(part);
        if (last) await upload.complete();
      }
    }
  } catch (error) {
    await upload?.abort();
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}

class MultipartUpload {
  private readonly done: CompletedPart[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private failure: unknown;
  private count = 0;

  private constructor(
    private readonly client: S3Client,
    private readonly upload: Target & { UploadId: string },
    private readonly abortSignal?: AbortSignal,
  ) {}

  static async begin(client: S3Client, target: Target, abortSignal?: AbortSignal): Promise<MultipartUpload> {
    const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand(target), { abortSignal });
    return new MultipartUpload(client, { ...target, UploadId }, abortSignal);
  }

  async add(part: Buffer): Promise<void> {
    this.count += 1;
    const sending: Promise<void> = this.send(this.count, part)
      .catch((error: unknown) => {
        this.failure ??= error;
      })
      .finally(() => this.inFlight.delete(sending));
    this.inFlight.add(sending);
    if (this.inFlight.size >= PARTS_IN_FLIGHT) await Promise.race(this.inFlight);
    if (this.failure) throw this.failure;
  }

  async complete(): Promise<void> {
    await Promise.all(this.inFlight);
    if (this.failure) throw this.failure;
    const Parts = this.done.sort((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
    const command = new CompleteMultipartUploadCommand({ ...this.upload, MultipartUpload: { Parts } });
    await this.client.send(command, { abortSignal: this.abortSignal });
  }

  async abort(): Promise<void> {
    await Promise.all(this.inFlight);
    await this.client.send(new AbortMultipartUploadCommand(this.upload)).catch(() => {});
  }

  private async send(PartNumber: number, part: Buffer): Promise<void> {
    const command = new UploadPartCommand({ ...this.upload, PartNumber, Body: part, ContentLength: part.byteLength });
    const { ETag } = await this.client.send(command, { abortSignal: this.abortSignal });
    this.done.push({ PartNumber, ETag });
  }
}

async function* parts(source: AsyncIterable<Uint8Array>): AsyncIterable<{ part: Buffer; last: boolean }> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.byteLength; ) {
      if (size === PART_BYTES) {
        yield { part: Buffer.concat(held, size), last: false };
        held = [];
        size = 0;
      }
      const piece = chunk.subarray(at, at + PART_BYTES - size);
      held.push(piece);
      size += piece.byteLength;
      at += piece.byteLength;
    }
  }
  yield { part: Buffer.concat(held, size), last: true };
}
