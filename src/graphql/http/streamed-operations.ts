import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Actor, UserActor } from '../../kernel/actor.js';
import type { Caller } from '../../kernel/context.js';
import { boundReading, withReadingBudget } from '../../kernel/database/reading-budget.js';
import type { Transactions } from '../../kernel/database/transactions.js';
import type { Logger } from '../../kernel/logger.js';
import type { OpenStream } from '../../kernel/streams/open-stream.js';
import type { OpenStreams, StreamPlace } from '../../kernel/streams/open-streams.js';
import { eventText, STREAM_HEADERS } from '../../kernel/streams/sse.js';
import type { CostBudget } from '../cost-budget.js';
import { errorFormatter } from '../errors.js';
import type { IntrospectionCosts } from '../introspection-cost.js';
import { checkLimits, LIMITS } from '../limits.js';
import type { Awaited, ListeningOperation, SubscriptionSources } from '../subscriptions.js';
import { EventQueue } from './event-queue.js';
import { isAllLeftOut } from './left-out.js';
import { GraphqlOperation } from './operation.js';
import type { TokenGuard } from './token-guard.js';

interface State {
  requestId: string;
  address: string;
  /** For metrics. */
  route?: string;
}

export interface StreamedParts {
  readonly schema: ExecutionArgs['schema'];
  readonly tx: Transactions;
  readonly sources: SubscriptionSources;
  readonly streams: OpenStreams;
  readonly guard: TokenGuard;
  readonly budget: CostBudget;
  readonly introspection: IntrospectionCosts;
  readonly readingMs: number;
  readonly logger: Logger;
  /** Creates the request's operation like any other, or fails like one. */
  readonly operationOf: (koa: ParameterizedContext<State>) => Promise<GraphqlOperation>;
  /** The caller behind the request's credentials right now; null if there is none. */
  readonly actorOf: (koa: ParameterizedContext<State>) => Promise<Actor | null>;
}

const STREAM_PATH = '/graphql/stream';
const STREAM_REQUESTS = new WeakSet<object>();

/** Recognizes stream requests, at their own path or by `Accept` at the usual one, and lets them be read like any other. */
export function recognizeStreams(): Middleware {
  return (koa, next) => {
    const accept = koa.get('accept');
    // Some clients list a stream beside JSON with every operation.
    const accepts = koa.path === '/graphql' && /\btext\/event-stream\b/.test(accept) && !/json\b/.test(accept);
    if (accepts || koa.path === STREAM_PATH) {
      STREAM_REQUESTS.add(koa.req);
      koa.path = '/graphql';
    }
    return next();
  };
}

/**
 * Subscriptions over server-sent events: the "distinct connections" mode of the GraphQL over Server-Sent Events protocol, as used by the
 * graphql-sse client. Each event is executed with the caller's permissions at that moment.
 */
export function streamedOperations(parts: StreamedParts): Middleware<State> {
  return async (koa, next) => {
    if (koa.path !== '/graphql' || !STREAM_REQUESTS.has(koa.req)) return next();
    koa.state.route = STREAM_PATH;
    const { requestId } = koa.state;
    const format = errorFormatter(parts.logger, () => requestId);
    let place: StreamPlace | null = null;
    try {
      refuseForeignPages(koa);
      const operation = await parts.operationOf(koa);
      const requested = requestedSubscription(koa, parts);
      const cost = checkLimits(
        parts.schema,
        requested.document,
        requested.operation,
        requested.variableValues ?? {},
        parts.introspection,
      );
      parts.budget.spend(operation.caller, cost);
      const { actor } = operation.caller;
      if (actor.kind === 'user')
        place = parts.streams.take('graphql', [
          { what: 'token', id: actor.tokenId },
          { what: 'organization', id: actor.organizationId },
        ]);
      const subscription = new Subscription(parts, koa, requested, cost, format);
      const errors = await subscription.begin(operation);
      koa.respond = false;
      koa.res.writeHead(200, { ...headersOf(koa), ...STREAM_HEADERS });
      if (place && errors === null) subscription.run(place, actor as UserActor);
      else {
        place?.release();
        koa.res.end(nextText({ errors }) + COMPLETE);
      }
      return undefined;
    } catch (error) {
      place?.release();
      const { http } = ((error as GraphQLError).extensions ?? {}) as { http?: { status?: number } };
      const wrapped = error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error as Error });
      const formatted = format(wrapped.toJSON(), wrapped);
      const { code } = formatted.extensions ?? {};
      koa.status =
        http?.status ??
        (code === 'TOO_MANY_STREAMS'
          ? 429
          : code === 'UNAVAILABLE'
            ? 503
            : code === 'INTERNAL_SERVER_ERROR'
              ? 500
              : 400);
      koa.body = { errors: [formatted] };
      return undefined;
    }
  };
}

type Format = ReturnType<typeof errorFormatter>;
type RequestedSubscription = Pick<ExecutionArgs, 'variableValues' | 'operationName'> & {
  document: DocumentNode;
  operation: OperationDefinitionNode;
};

const COMPLETE = 'event: complete\ndata:\n\n';
const nextText = (result: object): string => eventText({ event: 'next', data: JSON.stringify(result) });

class Subscription {
  private readonly queue = new EventQueue<object>();
  private permit: Awaited['permit'] | null = null;
  private unlisten: () => void = () => undefined;

  constructor(
    private readonly parts: StreamedParts,
    private readonly koa: ParameterizedContext<State>,
    private readonly requested: RequestedSubscription,
    private readonly cost: number,
    private readonly format: Format,
  ) {}

  /** Checks permission and starts listening; answers with errors if the caller may not. */
  async begin(operation: GraphqlOperation): Promise<readonly object[] | null> {
    const listening: ListeningOperation = Object.assign(operation, {
      listen: (awaited: Awaited) => {
        this.permit = awaited.permit;
        this.unlisten = awaited.listen(this.parts.sources, (root) => this.queue.push(root));
        this.queue.closing(() => this.unlisten());
        return this.queue;
      },
    });
    const found = await createSourceEventStream({
      schema: this.parts.schema,
      ...this.requested,
      contextValue: listening,
    });
    if (!('errors' in found)) return null;
    return (found.errors ?? []).map((error) => this.format(error.toJSON(), error));
  }

  run(place: StreamPlace, actor: UserActor): void {
    const ends: (() => void)[] = [];
    const stream = place.open(this.koa.res, () => {
      this.queue.close();
      for (const end of ends) end();
    });
    this.queue.closing(() => stream.end('slow'));
    if (!stream.isOpen) return;
    stream.send(':\n\n');
    const refuse = (): void => {
      const code = 'UNAUTHENTICATED';
      const message =
        'The token has expired or was revoked, or its user lost access or got another role. Subscribe again; if that is refused, sign in again.';
      stream.send(nextText({ errors: [{ message, extensions: { code } }] }) + COMPLETE);
      stream.end('refused');
    };
    ends.push(this.parts.guard.guard(() => this.mayGoOn(actor), refuse));
    void this.pump(stream);
  }

  private async pump(stream: OpenStream): Promise<void> {
    for await (const root of this.queue) {
      const result = await this.resultFor(root).catch((error: Error) => this.failed(error));
      stream.send(nextText(result));
    }
  }

  /** The event as the caller may see it now. */
  private async resultFor(rootValue: object): Promise<object> {
    const { parts, koa, requested } = this;
    const { requestId, address } = koa.state;
    const actor = (await parts.actorOf(koa)) ?? ({ kind: 'anonymous' } as const);
    const caller: Caller = { actor, requestId, address };
    parts.budget.spend(caller, this.cost);
    const result = await withReadingBudget(() => {
      boundReading({ bytes: LIMITS.rowBytes, milliseconds: parts.readingMs });
      const contextValue = new GraphqlOperation(parts.tx, caller);
      return execute({ schema: parts.schema, ...requested, rootValue, contextValue });
    });
    return this.formatted(result);
  }

  private formatted({ errors, ...rest }: ExecutionResult): object {
    return errors ? { ...rest, errors: errors.map((error) => this.format(error.toJSON(), error)) } : rest;
  }

  private failed(error: Error): object {
    const wrapped = error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error });
    return { errors: [this.format(wrapped.toJSON(), wrapped)] };
  }

  private async mayGoOn(before: UserActor): Promise<boolean> {
    const { requestId, address } = this.koa.state;
    const actor = await this.parts.actorOf(this.koa);
    if (actor?.kind !== 'user' || actor.grantedRole !== before.grantedRole || actor.userId !== before.userId)
      return false;
    const operation = new GraphqlOperation(this.parts.tx, { actor, requestId, address });
    return (
      (await this.permit?.(operation).then(
        () => true,
        (error: { code?: string }) => error.code !== 'permission_denied' && error.code !== 'project_not_found',
      )) ?? true
    );
  }
}

/** Same rule as Apollo's for queries: only requests that a plain page can't send. */
function refuseForeignPages(koa: ParameterizedContext): void {
  // `is` says nothing about a request without a body.
  const isJson =
    koa.method === 'GET' ? /^application\/(?:.+\+)?json$/i.test(koa.request.type) : koa.is('json', '+json');
  if (isJson || koa.get('x-apollo-operation-name') || koa.get('apollo-require-preflight')) return;
  throw refused('Send the header apollo-require-preflight, or POST application/json.');
}

function requestedSubscription(koa: ParameterizedContext, { schema }: StreamedParts): RequestedSubscription {
  const given = (koa.method === 'POST' ? (koa.request as { body?: unknown }).body : koa.query) as Record<
    string,
    unknown
  >;
  const { query, operationName } = given;
  if (typeof query !== 'string') throw refused('Send a document as "query", or a "documentId".');
  const document = parsed(query);
  const [problem] = validate(schema, document);
  if (problem)
    throw new GraphQLError(problem.message, {
      nodes: problem.nodes ?? null,
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  const operation = getOperationAST(document, typeof operationName === 'string' ? operationName : undefined);
  if (operation?.operation !== 'subscription')
    throw refused(
      'Only subscriptions can be streamed. Send other operations to /graphql without Accept: text/event-stream.',
    );
  const variableValues = variablesOf(given.variables);
  if (isAllLeftOut(document, operation))
    throw refused('@skip and @include leave out the whole subscription. Subscribe only when you want it.');
  return { document, operation, operationName: operation.name?.value, variableValues } as RequestedSubscription;
}

function parsed(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: LIMITS.tokens });
  } catch (error) {
    throw new GraphQLError((error as Error).message, { extensions: { code: 'GRAPHQL_PARSE_FAILED' } });
  }
}

function variablesOf(given: unknown): Record<string, unknown> {
  try {
    const variables: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    if (variables === undefined || variables === null) return {};
    if (typeof variables === 'object' && !Array.isArray(variables)) return variables as Record<string, unknown>;
  } catch {
    // Rejected below.
  }
  throw refused('"variables" must be an object.');
}

const refused = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });

function headersOf(koa: ParameterizedContext): Record<string, string> {
  const { 'cache-control': _, 'content-type': __, ...headers } = koa.res.getHeaders() as Record<string, string>;
  return headers;
}
