import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { NEVER_ANSWERED } from './never-answered.js';
import { type ContractOperation, errorText, OpenApiContract, parsed } from './openapi-contract.js';

/** What the servers of a whole test run answered, held against `docs/openapi.json`. */
export interface AnsweredOperations {
  /** Documented answers that no test produced, as `operation status error`. */
  missing: string[];
  /** Answers that are not documented, or differ from what is. */
  undocumented: string[];
}

const LONGEST_BODY = 1_000_000;

/**
 * Notes what a server answers, in the folder of the run, TEST_ANSWERED; without one nothing is noted.
 *
 * @returns writes the notes down.
 */
export function noteAnswers(server: Server): () => void {
  const folder = process.env.TEST_ANSWERED;
  if (!folder) return () => undefined;
  const contract = new OpenApiContract();
  const notes = new Set<string>();
  // Before the server's own listener, which may answer at once.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const operation = contract.operationFor(request.method ?? '', path);
    if (operation === null) return;
    const body = recordBody(response);
    response.once('finish', () => notes.add(noteOf(contract, operation, request.method ?? '', response, body())));
  });
  return () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, randomUUID()), [...notes].join('\n'));
  };
}

/** Sets what was noted against the document: every answer of every operation must be produced, and nothing else. */
export function judgeAnswers(folder: string): AnsweredOperations {
  const notes = new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')));
  const { operations } = new OpenApiContract();
  const missing = operations.flatMap((operation) => {
    if (operation.aliasOf !== null) return isServed(operation, notes) ? [] : [`${operation.id}: no success`];
    const twins = [operation, ...operations.filter((alias) => isAlias(alias, operation))];
    return documentedAnswers(operation)
      .filter((answer) => !twins.some(({ id }) => notes.has(`good ${id} ${answer}`)))
      .map((answer) => `${operation.id} ${answer}`);
  });
  return { missing, undocumented: [...notes].filter((note) => note.startsWith('bad ')).map((note) => note.slice(4)) };
}

/** Every answer of an operation that can be produced: its successes by status, its refusals by status and text. */
function documentedAnswers({ responses }: ContractOperation): string[] {
  return [...responses].flatMap(([status, { content = {} }]) => {
    if (NEVER_ANSWERED.has(status)) return [];
    if (status < 400) return [`${status}`];
    const examples = Object.values(content['application/json']?.examples ?? {});
    return examples.map(({ value }) => `${status} ${errorText(value)}`);
  });
}

function isAlias(alias: ContractOperation, { path, method }: ContractOperation): boolean {
  return alias.aliasOf === path && alias.method === method;
}

function isServed({ id }: ContractOperation, notes: ReadonlySet<string>): boolean {
  return [...notes].some((note) => /^good \S+ [23]\d\d$/.test(note) && note.split(' ')[1] === id);
}

function noteOf(
  contract: OpenApiContract,
  operation: ContractOperation,
  method: string,
  response: ServerResponse,
  body: string | null,
): string {
  const { statusCode: status } = response;
  const header = (name: string) => response.getHeader(name)?.toString() ?? sentHeader(response, name);
  const fault = contract.faultOf(operation, { method, status, header, body });
  if (fault !== null) return `bad ${operation.id}: ${fault.replaceAll('\n', ' ')}`;
  return status < 400
    ? `good ${operation.id} ${status}`
    : `good ${operation.id} ${status} ${errorText(parsed(body ?? ''))}`;
}

/** A header that was given to `writeHead` as a list, which `getHeader` does not show. */
function sentHeader(response: ServerResponse, name: string): string | null {
  const sent = (response as unknown as { _header: string | null })._header ?? '';
  const line = sent.split('\r\n').find((each) => each.toLowerCase().startsWith(`${name}:`));
  return line === undefined ? null : line.slice(name.length + 1).trim();
}

/** Keeps what is written to a response. The function answers the whole body, or null when it is long. */
function recordBody(response: ServerResponse): () => string | null {
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const bytes = Buffer.from(chunk as string);
    size += bytes.length;
    if (size <= LONGEST_BODY) chunks.push(bytes);
  };
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  response.write = ((chunk: unknown, ...others: never[]) => {
    keep(chunk);
    return write(chunk as never, ...others);
  }) as typeof response.write;
  response.end = ((chunk: unknown, ...others: never[]) => {
    keep(chunk);
    return end(chunk as never, ...others);
  }) as typeof response.end;
  return () => (size > LONGEST_BODY ? null : Buffer.concat(chunks).toString());
}
