import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { DomainError } from '../errors.js';
import { freeBuffer } from '../memory/free-buffer.js';
import type { BodyHolding } from './body-budget.js';
import { bodyFailure } from './body-failures.js';
import { announcedBytes, inflated } from './inflate.js';

/** Memory for a body that is stored as it arrives, including everything derived from it. */
const STREAMED_BYTES = 8 * 1024 * 1024;

/** Fails with `payload_too_large`, before reading anything, when the client declares more than `cap` bytes. */
export function refuseAnnounced(request: IncomingMessage, cap: number): void {
  if (announcedBytes(request) > cap) throw bodyFailure('payload_too_large');
}

/**
 * The decoded bytes of a request body, limited by its cap, and in memory by its holding. Reading fails with
 * `payload_too_large`, `bodies_exhausted`, `invalid_body` for bytes that cannot be decoded, or `body_cut_off` when the
 * client disconnects.
 */
export class RequestBytes {
  private readonly stream: Readable;
  private kept: Buffer[] = [];
  private size = 0;

  /** Fails with `invalid_body` for an unknown encoding. */
  constructor(
    private readonly request: IncomingMessage,
    private readonly cap: number,
    private readonly holding: BodyHolding,
  ) {
    const stream = inflated(request);
    if (!stream) throw bodyFailure('invalid_body');
    this.stream = stream;
  }

  /** The whole body, which the caller now owns. */
  async all(): Promise<Buffer> {
    const bytes = await this.whole(this.cap);
    if (bytes === null) throw bodyFailure('payload_too_large');
    return bytes;
  }

  /**
   * The whole body, which the caller now owns, if it has at most `limit` bytes; else null, and what was read is kept
   * for {@link rest}.
   */
  async whole(limit: number): Promise<Buffer | null> {
    const isPlain = this.stream === this.request;
    if (isPlain) {
      const announced = announcedBytes(this.request);
      if (announced > limit) return null;
      const room = this.holding.grow(announced);
      if (room) await room;
      // A small body arrives together with its headers and is available one turn later.
      await undefined;
      if (this.request.complete) return this.wholeAtOnce(limit);
    }
    return this.wholeAsItComes(limit);
  }

  /** The body from its beginning, in chunks; a chunk is valid until the next one is requested. */
  async *rest(): AsyncGenerator<Buffer> {
    try {
      const room = this.holding.grow(STREAMED_BYTES);
      if (room) await room;
      for (const chunk of this.kept.splice(0)) {
        yield chunk;
        this.release(chunk);
      }
      for await (const chunk of this.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        this.size += chunk.length;
        if (this.size > this.cap) throw bodyFailure('payload_too_large');
        yield chunk;
        this.release(chunk);
      }
    } catch (error) {
      throw this.failureOf(error);
    } finally {
      this.stop();
    }
  }

  private async wholeAtOnce(limit: number): Promise<Buffer | null> {
    for (let chunk = this.stream.read() as Buffer | null; chunk; chunk = this.stream.read()) this.keep(chunk);
    if (this.size > this.cap) throw bodyFailure('payload_too_large');
    if (this.size > limit) return null;
    const room = this.holding.grow(this.size);
    if (room) await room;
    return this.joined();
  }

  private wholeAsItComes(limit: number): Promise<Buffer | null> {
    const { stream, holding } = this;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
    const onData = (chunk: Buffer) => {
      this.keep(chunk);
      if (this.size > this.cap) settle(() => reject(bodyFailure('payload_too_large')));
      else if (this.size > limit) settle(() => resolve(null));
      else if (this.size > holding.bytes) makeRoom();
    };
    const makeRoom = () => {
      const room = holding.grow(this.size, Math.max(limit, this.size));
      if (!room) return;
      stream.pause();
      room.then(
        () => stream.resume(),
        (error: unknown) => settle(() => reject(error)),
      );
    };
    const onEnd = () => settle(() => resolve(this.joined()));
    const onError = (error: unknown) => settle(() => reject(this.failureOf(error)));
    const onClose = () => settle(() => reject(this.failureOf(null)));
    const settle = (settled: () => void) => {
      stream.pause();
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      settled();
    };
    promise.catch(() => this.stop());
    if (stream.readableEnded) onEnd();
    else if (stream.destroyed) onClose();
    else stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    return promise;
  }

  /** Stops decoding what will not be read. */
  private stop(): void {
    if (this.stream !== this.request) this.stream.destroy();
  }

  /** A decoder may hold on to the chunks it emits. */
  private release(chunk: Buffer): void {
    if (this.stream === this.request) freeBuffer(chunk);
  }

  private keep(chunk: Buffer): void {
    this.kept.push(chunk);
    this.size += chunk.length;
  }

  /**
   * Call it when the stream has ended: chunks are freed as they are copied, so that the body is in memory only once.
   */
  private joined(): Buffer {
    const chunks = this.kept;
    this.kept = [];
    if (chunks.length === 1) return chunks[0] as Buffer;
    const whole = Buffer.allocUnsafeSlow(this.size);
    let at = 0;
    for (const chunk of chunks) {
      at += chunk.copy(whole, at);
      freeBuffer(chunk);
    }
    return whole;
  }

  /** Any error other than a disconnect comes from decoding. */
  private failureOf(error: unknown): DomainError {
    if (error instanceof DomainError) return error;
    return this.request.destroyed && !this.request.complete ? bodyFailure('body_cut_off') : bodyFailure('invalid_body');
  }
}
