import { Transform, type TransformCallback } from 'node:stream';
import { createInflate, createInflateRaw } from 'node:zlib';

/** The low half of the first byte of zlib's format (RFC 1950, CM); no encoder of bare deflate begins with it. */
const ZLIB_METHOD = 8;

/** `Content-Encoding: deflate` means zlib's format (RFC 9110, 8.4.1.2), but many clients send bare deflate: undoes either. */
export class EitherInflate extends Transform {
  private decoder: Transform | null = null;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.open(chunk[0] as number).write(chunk, done);
  }

  override _flush(done: TransformCallback): void {
    const decoder = this.open(ZLIB_METHOD);
    decoder.once('end', () => done());
    decoder.end();
  }

  override _read(size: number): void {
    this.decoder?.resume();
    super._read(size);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.decoder?.destroy();
    done(error);
  }

  private open(first: number): Transform {
    if (this.decoder) return this.decoder;
    const decoder = (first & 15) === ZLIB_METHOD ? createInflate() : createInflateRaw();
    this.decoder = decoder;
    return (
      decoder
        .on('data', (bytes: Buffer) => {
          if (!this.push(bytes)) decoder.pause();
        })
        // If more follows its end, the decoder takes no further chunk.
        .on('end', () => this.push(null))
        .on('error', (error) => this.destroy(error))
    );
  }
}
