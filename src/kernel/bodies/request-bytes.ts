import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { DomainError } from '../errors.js';
import { freeBuffer } from '../memory/free-buffer.js';
import type { BodyHolding } from './body-budget.js';
import { bodyFailure } from './body-failures.js';
import { announcedBytes, inflated } from './inflate.js';

/** What a body takes in memory that is stored while it comes in, with all that is made of it. */
const STREAMED_BYTES = 8 * 1024 * 1024;

/** Fails with `payload_too_large` when the client announces more than `cap` bytes; nothing has been read then. */
export function refuseAnnounced(request: IncomingMessage, cap: number): void {
  if (announcedBytes(request) > cap) throw bodyFailure('payload_too_large');
}

/**
 * The inflated bytes of a request's body, never more than its cap, and never more in memory than its holding has room for. Reading
 * fails with `payload_too_large`, `bodies_exhausted`, with `invalid_body` for bytes that cannot be inflated, and with `body_cut_off`
 * when the client goes away.
 */
export class RequestBytes {
  private readonly stream: Readable;
  private kept: Buffer[] = [];
  private size = 0;

  /** Fails with `invalid_body` when the encoding is unknown. */
  constructor(
    private readonly request: IncomingMessage,
    private readonly cap: number,
    private readonly holding: BodyHolding,
  ) {
    const stream = inflated(request);
    if (!stream) throw bodyFailure('invalid_body');
    this.stream = stream;
  }

  /** The whole body, now the caller's. */
  async all(): Promise<Buffer> {
    const bytes = await this.whole(this.cap);
    if (bytes === null) throw bodyFailure('payload_too_large');
    return bytes;
  }

  /** The whole body, now the caller's, when it has at most `limit` bytes; else null, and what was read is kept for {@link rest}. */
  async whole(limit: number): Promise<Buffer | null> {
    const isPlain = this.stream === this.request;
    if (isPlain) {
      const announced = announcedBytes(this.request);
      if (announced > limit) return null;
      const room = this.holding.grow(announced);
      if (room) await room;
      // A small body comes in one piece with its head, and is there a turn after it.
      await undefined;
      if (this.request.complete) return this.wholeAtOnce(limit);
    }
    return this.wholeAsItComes(limit);
  }

  /** The body from its beginning, chunk by chunk; a chunk is gone when the next one is asked for. */
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

  /** Ends the inflation of what nobody will read. */
  private stop(): void {
    if (this.stream !== this.request) this.stream.destroy();
  }

  /** What a decompression hands out it may still hold on to. */
  private release(chunk: Buffer): void {
    if (this.stream === this.request) freeBuffer(chunk);
  }

  private keep(chunk: Buffer): void {
    this.kept.push(chunk);
    this.size += chunk.length;
  }

  /** Call when the stream has ended: what was read is given back while it is copied, so that a body is in memory once. */
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

  /** Anything but the client's disappearance comes from the decompression. */
  private failureOf(error: unknown): DomainError {
    if (error instanceof DomainError) return error;
    return this.request.destroyed && !this.request.complete ? bodyFailure('body_cut_off') : bodyFailure('invalid_body');
  }
}
