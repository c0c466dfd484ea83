import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { commonFailure, DomainError } from '../../src/kernel/errors.js';
import { freeBuffer } from '../../src/kernel/free-buffer.js';
import { ingestFailure } from '../../src/modules/ingest/ingest.errors.js';
import type { ByteSource } from '../../src/modules/ingest/intake/ingestion.service.js';
import { chunksOf, inflated } from '../body.js';
import { restFailure } from '../failures.js';

/** A client that sends nothing for this long in the middle of a body gives up its place. */
const STALLED_MS = 15_000;

/** Bytes of a request as the ingestion wants them: small bodies at once, large ones chunk by chunk, never more than the cap. */
export class RequestBytes implements ByteSource {
  private readonly stream: Readable;
  private readonly kept: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly request: IncomingMessage,
    private readonly cap: number,
  ) {
    const stream = inflated(request);
    if (!stream) throw ingestFailure('invalid_body');
    this.stream = stream;
  }

  whole(limit: number): Promise<Buffer | null> {
    const isThere = this.stream === this.request && this.request.complete;
    return isThere ? this.wholeAtOnce(limit) : this.wholeAsItComes(limit);
  }

  /** A small body has mostly arrived together with its head. */
  private async wholeAtOnce(limit: number): Promise<Buffer | null> {
    for (let chunk = this.stream.read() as Buffer | null; chunk; chunk = this.stream.read()) this.keep(chunk);
    if (this.size > this.cap) throw restFailure('payload_too_large');
    return this.size > limit ? null : this.joined();
  }

  private wholeAsItComes(limit: number): Promise<Buffer | null> {
    const { stream } = this;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
    const timer = setTimeout(() => this.stalled(), STALLED_MS);
    const onData = (chunk: Buffer) => {
      timer.refresh();
      this.keep(chunk);
      if (this.size > this.cap) settle(() => reject(restFailure('payload_too_large')));
      else if (this.size > limit) settle(() => resolve(null));
    };
    const onEnd = () => settle(() => resolve(this.joined()));
    const onError = (error: unknown) => settle(() => reject(this.failureOf(error)));
    const onClose = () => settle(() => reject(commonFailure('unavailable')));
    const settle = (settled: () => void) => {
      clearTimeout(timer);
      stream.pause();
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      settled();
    };
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    return promise;
  }

  async *rest(): AsyncGenerator<Buffer> {
    for (const chunk of this.kept.splice(0)) {
      yield chunk;
      this.release(chunk);
    }
    const timer = setTimeout(() => this.stalled(), STALLED_MS);
    try {
      for await (const chunk of chunksOf(this.stream)) {
        clearTimeout(timer);
        this.size += chunk.length;
        if (this.size > this.cap) throw restFailure('payload_too_large');
        yield chunk;
        this.release(chunk);
        timer.refresh();
      }
    } catch (error) {
      throw this.failureOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** What a decompression hands out it may still hold on to. */
  private release(chunk: Buffer): void {
    if (this.stream === this.request) freeBuffer(chunk);
  }

  private keep(chunk: Buffer): void {
    this.kept.push(chunk);
    this.size += chunk.length;
  }

  private joined(): Buffer {
    return this.kept.length === 1 ? (this.kept[0] as Buffer) : Buffer.concat(this.kept, this.size);
  }

  private stalled(): void {
    this.request.destroy();
  }

  /** Anything but the client's disappearance comes from the decompression. */
  private failureOf(error: unknown): DomainError {
    if (error instanceof DomainError) return error;
    return this.request.destroyed && !this.request.complete
      ? commonFailure('unavailable')
      : ingestFailure('invalid_body');
  }
}
