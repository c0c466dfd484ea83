import { errorText, type OpenApiContract, parsed } from '../support/openapi/openapi-contract.js';

/** An answer as received. */
export interface SeenAnswer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly body: string;
}

/** The problem with the answer to a request, valid or not; null if there is none. */
export function faultOfAnswer(
  contract: OpenApiContract,
  method: string,
  path: string,
  answer: SeenAnswer,
): string | null {
  const { status, body } = answer;
  if (status >= 500) return `${status} ${body.slice(0, 300)}`;
  if (!answer.header('x-request-id')) return `${status} without x-request-id: ${body.slice(0, 300)}`;
  const operation = contract.operationFor(method, path);
  if (operation !== null) return contract.faultOf(operation, { method, ...answer });
  return unrouted(contract, method, path, status, body) ? null : `${status} ${body.slice(0, 300)}`;
}

/** Whether an answer is right for a path and method without an operation. */
function unrouted(contract: OpenApiContract, method: string, path: string, status: number, text: string): boolean {
  const others = contract.operations.filter((each) => contract.operationFor(each.method, path) === each);
  // The server's own paths; other methods do not exist on /metrics.
  if (others.some(({ responses }) => !responses.has(413))) return method === 'HEAD' || status === 405 || status === 404;
  if (others.length === 0) return status === 404 || status === 400;
  if (method === 'OPTIONS') return status === 204 || status === 405;
  return status === 405 && (method === 'HEAD' || errorText(parsed(text)) === 'method_not_allowed');
}

/** Whether an answer is an event stream. It never ends, so an ordinary request can only show that it starts. */
export function isStream(contentType: string | null | undefined): boolean {
  return contentType?.startsWith('text/event-stream') ?? false;
}
