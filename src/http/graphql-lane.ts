import type { IncomingMessage, ServerResponse } from 'node:http';
import { graphqlHeaders } from '../graphql/http/apollo-middleware.js';
import { type BegunRequest, noteBegun } from '../graphql/http/begun-request.js';
import { type GraphqlBodies, readOperation } from '../graphql/http/body.js';
import type { GraphqlRequest } from '../graphql/http/caller.js';
import type { GraphqlOperation } from '../graphql/http/operation.js';
import type { RepeatedQueries } from '../graphql/http/repeated-queries.js';
import { type StoredDocuments, withDocument } from '../graphql/http/stored-documents.js';
import type { OperationCounts } from '../graphql/operation-counts.js';
import { withReadingBudget } from '../kernel/database/reading-budget.js';
import type { Metrics } from '../kernel/metrics.js';
import { noteAnswer } from '../kernel/requests/answered-request.js';
import { requestIdOf } from '../kernel/requests/request-id.js';
import { endWithText } from '../kernel/requests/text-answer.js';
import { noteArrival } from './serve-metrics.js';

const PATH = '/graphql';
const JSON_BODY = /^application\/json *(?:;|$)/i;

export interface GraphqlLaneParts {
  readonly repeated: RepeatedQueries;
  readonly stored: StoredDocuments;
  readonly bodies: GraphqlBodies;
  readonly metrics: Metrics;
  readonly counts: OperationCounts;
  /** Headers of every response, names and values alternating. */
  readonly headers: readonly string[];
  readonly operationOf: (asking: GraphqlRequest) => Promise<GraphqlOperation>;
  addressOf(message: IncomingMessage): string;
}

/** The path through the web framework. */
export type CommonWay = (message: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Answers repeated GraphQL queries without the web framework and Apollo. Any other request it has begun to read continues on the common
 * path from there. Returns false, having read nothing, when it leaves a request to others.
 */
export function graphqlLane(parts: GraphqlLaneParts, common: CommonWay) {
  return (message: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url, headers } = message;
    if (method !== 'POST' || url !== PATH || !JSON_BODY.test(headers['content-type'] ?? '')) return false;
    void answer(parts, new LaneRequest(message, response, parts.addressOf(message)), common);
    return true;
  };
}

async function answer(parts: GraphqlLaneParts, asking: LaneRequest, common: CommonWay): Promise<void> {
  const arrived = performance.now();
  const { message, response, state } = asking;
  const { bodies, metrics, counts } = parts;
  const holding = bodies.budget.open(state.address);
  const begun: BegunRequest = { body: readOperation(message, bodies.jsonCap, holding) };
  try {
    if (await withReadingBudget(() => answerRepeated(parts, asking, begun))) {
      counts.answered('repeated');
      metrics.requests.of('POST', PATH).observe(response.statusCode, '', (performance.now() - arrived) / 1000);
      noteAnswer(response, { route: PATH, refusal: '', requestId: state.requestId });
      return;
    }
    noteArrival(message, arrived);
    noteBegun(message, begun);
    // The common path generates an id for requests without one.
    message.headers['x-request-id'] = state.requestId;
    await common(message, response);
  } finally {
    holding.close();
  }
}

/** Answers a known query, beginning its operation. Returns false if the common path must answer. */
async function answerRepeated(
  { repeated, stored, operationOf, headers }: GraphqlLaneParts,
  asking: LaneRequest,
  begun: BegunRequest,
): Promise<boolean> {
  const { message, response, request, state, headers: given } = asking;
  try {
    request.body = await withDocument(stored, (await begun.body) ?? {});
  } catch {
    return false;
  }
  const known = repeated.known(message, request.body);
  if (!known) return false;
  begun.operation = operationOf(asking);
  const answer = await repeated.answer(known, request.body, begun.operation);
  if (!answer) {
    // The operation continues with what it has told the caller so far.
    for (let at = 0; at < given.length; at += 2) response.setHeader(given[at] as string, given[at + 1] as string);
    return false;
  }
  const own = graphqlHeaders(new Map([['content-type', answer.contentType]]));
  endWithText(response, 200, ['x-request-id', state.requestId, ...headers, ...given, ...own], answer.text);
  return true;
}

/** A request as the common path would present it. */
class LaneRequest implements GraphqlRequest {
  readonly state: GraphqlRequest['state'];
  readonly method = 'POST';
  readonly query = {};
  readonly request: { body: object } = { body: {} };
  /** Headers of this response beyond those of every response, names and values alternating. */
  readonly headers: string[] = [];

  constructor(
    readonly message: IncomingMessage,
    readonly response: ServerResponse,
    address: string,
  ) {
    this.state = { requestId: requestIdOf(message.headers['x-request-id']), address };
  }

  get(header: string): string {
    return String(this.message.headers[header] ?? '');
  }

  set(header: string, value: string): void {
    this.headers.push(header, value);
  }
}
