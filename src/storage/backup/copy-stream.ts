import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { Client } from 'pg';

interface CopyConnection {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/**
 * Runs `copy … to stdout` and writes what comes to `sink` as fast as it takes it, without ending it. Resolves with the
 * number of rows; rejects when PostgreSQL or the sink fails.
 */
export function copyOut(client: Client, statement: string, sink: Writable): Promise<number> {
  return submit(client, (settle) => ({
    submit: (connection: CopyConnection) => {
      sink.once('error', (error) => {
        settle.fail(error);
        connection.stream.resume();
      });
      connection.query(statement);
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }, connection: CopyConnection) => {
      // The parser uses its buffer again, so the bytes have to be copied.
      if (settle.failed() || sink.write(Buffer.from(chunk))) return;
      connection.stream.pause();
      sink.once('drain', () => connection.stream.resume());
    },
  }));
}

/**
 * Runs `copy … from stdin` with the bytes of `source`. Resolves with the number of rows; rejects when PostgreSQL refuses
 * them or the source fails, and then nothing was copied.
 */
export function copyIn(client: Client, statement: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  return submit(client, (settle) => ({
    submit: (connection: CopyConnection) => connection.query(statement),
    handleCopyInResponse: (connection: CopyConnection) => {
      void feed(connection, source, settle);
    },
  }));
}

async function feed(connection: CopyConnection, source: AsyncIterable<Uint8Array>, settle: Settle): Promise<void> {
  try {
    for await (const chunk of source) {
      if (settle.failed()) return;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await Promise.race([once(connection.stream, 'drain'), settle.failure]);
    }
    connection.endCopyFrom();
  } catch (error) {
    settle.fail(error as Error);
    connection.sendCopyFail('the source failed');
  }
}

interface Settle {
  fail(error: Error): void;
  failed(): boolean;
  /** Resolves at the first failure. */
  failure: Promise<void>;
}

type Handlers = Record<string, (...parameters: never[]) => void>;

/** Hands pg a query of our own making; it calls the handlers by their names. */
function submit(client: Client, handlers: (settle: Settle) => Handlers): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0;
    let problem: Error | undefined;
    let announce = () => {};
    const settle: Settle = {
      fail: (error) => {
        problem ??= error;
        announce();
      },
      failed: () => problem !== undefined,
      failure: new Promise((done) => {
        announce = done;
      }),
    };
    const query = {
      ...handlers(settle),
      handleCommandComplete: ({ text }: { text: string }) => {
        rows = Number(/\d+$/.exec(text)?.[0] ?? 0);
      },
      handleError: (error: Error) => {
        settle.fail(error);
        reject(problem);
      },
      handleReadyForQuery: () => (problem ? reject(problem) : resolve(rows)),
    };
    client.query(query as never);
  });
}
