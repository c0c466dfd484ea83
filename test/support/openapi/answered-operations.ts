import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NEVER_ANSWERED } from './never-answered.js';
import type { NotedAnswer } from './noted-answers.js';
import { type ContractOperation, errorText, OpenApiContract, parsed } from './openapi-contract.js';

/** The answers of the servers during a whole test run, compared with `docs/openapi.json`. */
export interface AnsweredOperations {
  /** Documented answers that no test produced, as `operation status error`. */
  missing: string[];
  /** Answers that are undocumented or differ from the documentation. */
  undocumented: string[];
}

/** Compares the record with the document: every answer of every operation must occur, and no others. */
export function judgeAnswers(folder: string): AnsweredOperations {
  const contract = new OpenApiContract();
  const seen = new Set<string>();
  const undocumented = new Set<string>();
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const answer = JSON.parse(line) as NotedAnswer;
      const operation = contract.operationFor(answer.method, answer.path);
      if (operation === null) continue;
      const header = (name: string) => answer.headers[name] ?? null;
      const fault = contract.faultOf(operation, { ...answer, header });
      if (fault !== null) undocumented.add(`${operation.id}: ${fault}`);
      else seen.add(wordsOf(operation.id, answer.status, parsed(answer.body ?? '')));
    }
  }
  return { missing: missingFrom(seen, contract), undocumented: [...undocumented] };
}

function missingFrom(seen: ReadonlySet<string>, { operations }: OpenApiContract): string[] {
  return operations.flatMap((operation) => {
    if (operation.aliasOf !== null) return isServed(operation, seen) ? [] : [`${operation.id}: no success`];
    const aliases = operations.filter(
      ({ aliasOf, method }) => aliasOf === operation.path && method === operation.method,
    );
    const twins = [operation, ...aliases];
    return documentedAnswers(operation)
      .filter(([status, body]) => !twins.some(({ id }) => seen.has(wordsOf(id, status, body))))
      .map(([status, body]) => wordsOf(operation.id, status, body));
  });
}

/** Every answer that an operation can produce: the status, and the body if it is an error. */
function documentedAnswers({ responses }: ContractOperation): [status: number, body: unknown][] {
  return [...responses].flatMap(([status, { content = {} }]): [number, unknown][] => {
    if (NEVER_ANSWERED.has(status)) return [];
    if (status < 400) return [[status, null]];
    return Object.values(content['application/json']?.examples ?? {}).map(({ value }) => [status, value]);
  });
}

const isServed = ({ id, responses }: ContractOperation, seen: ReadonlySet<string>): boolean =>
  [...responses.keys()].some((status) => status < 300 && seen.has(wordsOf(id, status, null)));

const wordsOf = (id: string, status: number, body: unknown): string =>
  status < 400 ? `${id} ${status}` : `${id} ${status} ${errorText(body)}`;
