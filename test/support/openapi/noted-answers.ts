import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';

/** An answer on a REST path, as a line in the record. */
export interface NotedAnswer {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if it is long. */
  readonly body: string | null;
}

const LONGEST_BODY = 50_000;

/**
 * Records a server's answers in the run's folder, TEST_ANSWERED; without a folder, nothing is recorded.
 *
 * @returns a function that writes the record.
 */
export function noteAnswers(server: Server): () => void {
  const folder = process.env.TEST_ANSWERED;
  if (!folder) return () => undefined;
  const notes = new Map<string, NotedAnswer>();
  // Added before the server's own listener, which may answer at once.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const [path = ''] = (request.url ?? '').split('?');
    const { method = '' } = request;
    if (path === '/graphql' || path.startsWith('/playground')) return;
    const bodyOf = recordBody(response);
    response.once('finish', () => {
      const { statusCode: status } = response;
      const body = bodyOf();
      notes.set(`${method} ${path} ${status} ${body}`, { method, path, status, headers: sentHeaders(response), body });
    });
  });
  return () => {
    const lines = [...notes.values()].map((note) => JSON.stringify(note));
    writeFileSync(join(folder, randomUUID()), lines.join('\n'));
  };
}

/** Includes headers passed to `writeHead`, which `getHeaders` does not return. */
function sentHeaders(response: ServerResponse): Record<string, string> {
  const [, ...lines] = ((response as unknown as { _header: string | null })._header ?? '').split('\r\n');
  const pairs = lines.filter(Boolean).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** Records what is written to a response. The returned function returns the whole body, or null if it is long. */
function recordBody(response: ServerResponse): () => string | null {
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    size += chunk.length;
    if (size <= LONGEST_BODY) chunks.push(Buffer.from(chunk as string));
  };
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  response.write = ((chunk: unknown, ...others: never[]) => {
    keep(chunk);
    return write(chunk, ...others);
  }) as typeof response.write;
  response.end = ((chunk: unknown, ...others: never[]) => {
    keep(chunk);
    return end(chunk, ...others);
  }) as typeof response.end;
  return () => (size > LONGEST_BODY ? null : Buffer.concat(chunks).toString());
}
