import type { Connection } from 'pg';
import { freeBuffer } from '../../../kernel/memory/free-buffer.js';
import { COPY_HEADER, COPY_TRAILER } from './copy-binary.js';

const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const LARGEST_MESSAGE = 1024 * 1024;

const copyDataHead = (length: number): Buffer => {
  const head = Buffer.allocUnsafe(5);
  head[0] = COPY_DATA;
  head.writeInt32BE(length + 4, 1);
  return head;
};

/** Encoded rows: all of them, or in pieces, each of which is invalid once the next one is requested. */
export type CopyData = readonly Buffer[] | AsyncIterable<Buffer>;

const isList = (data: CopyData | null): data is readonly Buffer[] => Array.isArray(data);

/** Rows of one statement's result, every value as text. */
export type TextRow = readonly (string | null)[];

/**
 * A simple-protocol query string, one of whose statements may be a binary COPY FROM STDIN. Written for pg's `Client.query` (its
 * Submittable). The rows are sent without waiting for the server's go-ahead: if an earlier statement fails, PostgreSQL ignores them
 * (protocol, "COPY Operations"), and nothing is written after an error.
 */
export class CopyStatement {
  private readonly ending = Promise.withResolvers<TextRow[]>();
  /** Resolves with the rows of all statements once the server is ready again; rejects with the first error. */
  readonly finished = this.ending.promise;
  private readonly rows: TextRow[] = [];
  private isOver = false;
  /** The rows as one message; the server has read all of it once it reports the COPY as complete. */
  private message: Buffer | null = null;

  /**
   * `data` are the encoded rows of the COPY, without the stream's header and trailer; null if there is no COPY. Rows that arrive
   * incrementally are sent as fast as the server takes them; if they fail, the connection is dropped.
   */
  constructor(
    private readonly text: string,
    private readonly data: CopyData | null,
  ) {}

  /** Called by pg when the connection is free for this statement. */
  submit(connection: Connection): void {
    const { stream } = connection;
    stream.cork();
    connection.query(this.text);
    if (isList(this.data)) this.copy(stream, this.data);
    stream.uncork();
    if (this.data && !isList(this.data)) this.copySlowly(stream, this.data).catch((error) => stream.destroy(error));
  }

  /** Small pieces, one for each request of a group, go out as one message and one write. */
  private copy(stream: Connection['stream'], data: readonly Buffer[]): void {
    const pieces = [COPY_HEADER, ...data, COPY_TRAILER];
    const length = pieces.reduce((sum, { length }) => sum + length, 0);
    if (length <= LARGEST_MESSAGE) {
      this.message = Buffer.concat([copyDataHead(length), ...pieces, COPY_DONE], 5 + length + COPY_DONE.length);
      stream.write(this.message);
    } else {
      for (const piece of pieces) this.send(stream, piece);
      stream.write(COPY_DONE);
    }
  }

  private async copySlowly(stream: Connection['stream'], data: AsyncIterable<Buffer>): Promise<void> {
    this.send(stream, COPY_HEADER);
    for await (const piece of data) {
      // The server ignores what follows an error, until the next statement begins.
      if (this.isOver) return;
      stream.write(copyDataHead(piece.length));
      await new Promise<void>((resolve, reject) => {
        stream.write(piece, (error) => (error ? reject(error) : resolve()));
      });
    }
    if (this.isOver) return;
    this.send(stream, COPY_TRAILER);
    stream.write(COPY_DONE);
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.rows.push(message.fields);
  }

  handleError(error: Error): void {
    this.message = null;
    this.isOver = true;
    this.ending.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.message) freeBuffer(this.message);
    this.ending.resolve(this.rows);
  }

  handleCopyInResponse(): void {}
  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}

  private send(stream: Connection['stream'], rows: Buffer): void {
    for (let at = 0; at < rows.length; at += LARGEST_MESSAGE) {
      const part = rows.subarray(at, at + LARGEST_MESSAGE);
      stream.write(copyDataHead(part.length));
      stream.write(part);
    }
  }
}
