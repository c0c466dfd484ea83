import { createServer, type Server } from 'node:http';
import { GraphQLError } from 'graphql';
import Koa from 'koa';
import { type RequestState, restFace } from '../rest/face/face.js';
import { type LaneParts, laneOf } from '../rest/face/lane.js';
import { restRoutes } from '../rest/routes.js';
import type { App } from './app.js';
import { CostBudget } from './graphql/cost-budget.js';
import { DocumentBounds } from './graphql/document-bounds.js';
import { Admission } from './graphql/http/admission.js';
import { answeredRequestId } from './graphql/http/answered-request-id.js';
import { createApolloServer } from './graphql/http/apollo.js';
import { answeredByApollo } from './graphql/http/apollo-middleware.js';
import { documentOf, graphqlBody } from './graphql/http/body.js';
import { callingSessionOf, type GraphqlRequest, graphqlCaller } from './graphql/http/caller.js';
import { graphqlMultipart } from './graphql/http/multipart-body.js';
import { GraphqlOperation } from './graphql/http/operation.js';
import { OwnDocuments } from './graphql/http/own-documents.js';
import { RepeatedQueries } from './graphql/http/repeated-queries.js';
import { SessionCookie } from './graphql/http/session-cookie.js';
import { completeDocument, StoredDocuments } from './graphql/http/stored-documents.js';
import { recognizeStreams, streamedOperations } from './graphql/http/streamed-operations.js';
import { IntrospectionCosts } from './graphql/introspection-cost.js';
import { plannedExecutor } from './graphql/plan/planned-executor.js';
import { continueWhenRead } from './http/expected-continue.js';
import { graphqlLane } from './http/graphql-lane.js';
import { refuseMalformed, withPath } from './http/malformed-requests.js';
import { loadApiReference } from './http/pages/api-reference.js';
import { loadConsole, serveConsole } from './http/pages/console.js';
import { demoSettings, loadDemo } from './http/pages/demo.js';
import { loadPlayground } from './http/pages/playground.js';
import { servePage } from './http/pages/serve-page.js';
import { probes } from './http/probe-server.js';
import { securityHeaders, securityHeadersOfData } from './http/security-headers.js';
import { measureRequests, serveMetrics } from './http/serve-metrics.js';
import { tracedRequests } from './http/trace-requests.js';
import { BodyBudget } from './kernel/bodies/body-budget.js';
import { hangUpStalledBodies, STALLED_BODY_MS } from './kernel/bodies/stalled-bodies.js';
import { type Caller, systemCaller } from './kernel/context.js';
import { withReadingBudget } from './kernel/database/reading-budget.js';
import { DomainError } from './kernel/errors.js';
import type { Logger } from './kernel/logger.js';
import { ClientAddresses } from './kernel/requests/client-address.js';
import { requestIdOf } from './kernel/requests/request-id.js';
import { documentsFailure } from './modules/documents/documents.errors.js';
import { BODY_CAPS } from './modules/quotas/limits.js';

/**
 * Slow clients: headers must arrive within 5 s, and stalled connections are checked every second. A whole request may take an hour, because
 * 500 MiB over a slow line is legitimate, but it may not be silent for more than two minutes.
 */
const HTTP_OPTIONS = {
  headersTimeout: 5_000,
  requestTimeout: 3_600_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  requireHostHeader: false,
  // A request without a body needn't go through the end of a stream.
  optimizeEmptyRequests: true,
};
const LONGEST_SILENCE_MS = 120_000;

/** How long the server waits for bodies; tests wait less. */
export interface BodyPatience {
  readonly stalledMs: number;
  readonly budget?: BodyBudget;
}

/** The HTTP server over both faces; it isn't listening yet. */
export async function createHttpServer(
  app: App,
  { stalledMs, budget: bodies = new BodyBudget() }: BodyPatience = { stalledMs: STALLED_BODY_MS },
): Promise<Server> {
  const { storedDocuments } = app.services;
  const stored = new StoredDocuments((hash) =>
    app.tx.read(systemCaller('graphql'), (ctx) => storedDocuments.textOf(ctx, hash)),
  );
  const budget = new CostBudget(app.options.env.graphqlCostPerSecond);
  const introspection = new IntrospectionCosts(app.schema);
  const admission = new Admission({
    schema: app.schema,
    openIntrospection: app.options.env.mode !== 'production',
    budget,
    introspection,
    readingMs: app.options.env.graphqlReadingMs,
  });
  const executor = plannedExecutor(app.schema, {
    plans: app.options.env.graphqlPlans,
    tracer: app.tracer,
    counts: app.operationCounts,
  });
  const apollo = createApolloServer(app.schema, app.options.logger, admission, executor);
  await apollo.start();
  await logMisfits(app);
  const koa = new Koa<RequestState>();
  koa.on('error', (error: NodeJS.ErrnoException, ctx?: { state: RequestState }) => {
    if (isClientFault(error)) return;
    app.options.logger.error({ err: error, requestId: ctx?.state.requestId }, 'a request failed outside its route');
  });
  koa.use(measureRequests(app.parts.metrics));
  const addresses = new ClientAddresses(app.options.env.trustedProxies);
  koa.use(identifyRequest(addresses));
  koa.use(answerUnforeseen(app.options.logger));
  koa.use(securityHeaders(app.options.env.publicUrl));
  koa.use(probes(app));
  koa.use(serveMetrics(app.parts.metrics, app.options.env.metricsToken));
  const graphqlBodies = {
    jsonCap: Math.min(BODY_CAPS.graphql, app.options.env.maxBodyBytes),
    multipartCap: Math.min(BODY_CAPS.stream, app.options.env.maxBodyBytes),
    budget: bodies,
  };
  koa.use(recognizeStreams());
  koa.use(graphqlMultipart(graphqlBodies));
  koa.use(graphqlBody(graphqlBodies));
  koa.use(completeDocument(stored));
  const trustsStoredOnly = app.options.env.graphqlDocuments === 'trusted';
  const own = new OwnDocuments();
  const isTrusted = async (document: string) => (await stored.isStored(document)) || own.has(document);
  const bounds = new DocumentBounds();
  const isBehindTls = app.options.env.publicUrl.startsWith('https:');
  const operationOf = async (asking: GraphqlRequest): Promise<GraphqlOperation> => {
    bounds.check(documentOf(asking));
    const caller = await graphqlCaller(app, asking);
    const token = callingSessionOf(asking);
    const cookie = new SessionCookie(asking, isBehindTls, token !== null);
    await renewSession(app, caller, token, cookie);
    const operation = new GraphqlOperation(app.tx, caller, cookie);
    if (trustsStoredOnly && !(await isTrusted(documentOf(asking)))) await requireOperator(app, operation);
    return operation;
  };
  koa.use(
    streamedOperations({
      schema: app.schema,
      tx: app.tx,
      sources: app.subscriptionSources,
      streams: app.parts.streams,
      guard: app.parts.tokenGuard,
      budget,
      introspection,
      readingMs: app.options.env.graphqlReadingMs,
      logger: app.options.logger,
      operationOf,
      actorOf: async (ctx) => (await graphqlCaller(app, ctx)).actor,
    }),
  );
  const repeated = new RepeatedQueries(admission, executor);
  koa.use(graphqlOnly(answeredByApollo(apollo, repeated, app.operationCounts, operationOf)));
  const rows = restRoutes(app);
  const parts = laneParts(app, bodies, addresses);
  // The router tries every route, so requests for other handlers are filtered out first.
  koa.use(restFace(rows, parts));
  koa.use(servePage('/playground', loadPlayground));
  koa.use(demoSettings(app.options.env.dataDir));
  koa.use(servePage('/demo', loadDemo));
  koa.use(servePage('/docs', loadApiReference));
  koa.use(serveConsole(loadConsole));
  koa.use(async (ctx) => {
    ctx.status = 404;
    ctx.body = { error: 'not_found' };
  });
  const common = koa.callback();
  const lanes = [
    laneOf(rows, parts),
    graphqlLane(
      { ...parts, counts: app.operationCounts, repeated, stored, bodies: graphqlBodies, operationOf },
      common,
    ),
  ];
  const handle = withPath((request, response) => {
    if (!lanes.some((lane) => lane(request, response))) void common(request, response);
  });
  const server = createServer(HTTP_OPTIONS, app.tracer ? tracedRequests(app.tracer, handle) : handle);
  hangUpStalledBodies(server, stalledMs, () => bodies.isCrowded || app.services.ingestion.isCrowded);
  return continueWhenRead(refuseMalformed(server)).setTimeout(LONGEST_SILENCE_MS);
}

/** An active browser session is extended, up to twelve hours. */
async function renewSession(app: App, { actor }: Caller, token: string | null, cookie: SessionCookie): Promise<void> {
  if (token === null || actor.kind !== 'user') return;
  const fresh = await app.services.sessions.renew(token, app.options.clock.now());
  if (fresh) cookie.keep(fresh.token);
}

/** Lets operators run documents that aren't stored. Fails with `DOCUMENT_NOT_TRUSTED` for others. */
async function requireOperator(app: App, { current }: GraphqlOperation): Promise<void> {
  try {
    await app.parts.operators.require(current);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { message } = documentsFailure('document_not_trusted');
    throw new GraphQLError(message, { extensions: { code: 'DOCUMENT_NOT_TRUSTED', http: { status: 400 } } });
  }
}

/** The serving process logs stored documents that a schema change has broken. */
async function logMisfits(app: App): Promise<void> {
  const misfits = await app.tx.read(systemCaller('graphql'), (ctx) =>
    app.services.storedDocuments.misfits(ctx, app.schema),
  );
  for (const { document, problem } of misfits) {
    const { hash, app: client, version } = document;
    app.options.logger.error({ hash, client, version, problem }, 'a stored GraphQL document does not match the schema');
  }
}

/** A client that hangs up or doesn't send HTTP. The parser's errors contain the raw request, secrets included, so they aren't logged. */
function isClientFault({ code }: NodeJS.ErrnoException): boolean {
  return (
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    Boolean(code?.startsWith('HPE_'))
  );
}

/** Errors outside a route are answered like errors inside one; Koa by itself drops the headers, including the request id. */
function answerUnforeseen(logger: Logger): Koa.Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { requestId } = ctx.state;
      // A lost database connection has the same error as a lost client connection.
      if (!ctx.req.socket.destroyed || !isClientFault(error as Error))
        logger.error({ err: error, requestId }, 'a request failed outside its route');
      ctx.status = 500;
      ctx.body = { error: 'internal_error' };
    }
  };
}

function laneParts(app: App, bodies: BodyBudget, addresses: ClientAddresses): LaneParts {
  return {
    tx: app.tx,
    counters: app.parts.shared.counters,
    metrics: app.parts.metrics,
    logger: app.options.logger,
    maxBodyBytes: app.options.env.maxBodyBytes,
    bodies,
    headers: securityHeadersOfData(app.options.env.publicUrl),
    keys: app.services.keys,
    keysById: app.services.keysById,
    tickets: app.services.streamTickets,
    passes: app.services.refetchPasses,
    identifyToken: app.identifyToken.bind(app),
    addressOf: addresses.ofRequest.bind(addresses),
  };
}

function identifyRequest(addresses: ClientAddresses): Koa.Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.state.requestId = requestIdOf(ctx.req.headers['x-request-id']);
    ctx.state.address = addresses.ofRequest(ctx.req);
    ctx.set('x-request-id', ctx.state.requestId);
    await next();
  };
}

function graphqlOnly(middleware: Koa.Middleware<RequestState>): Koa.Middleware<RequestState> {
  return (ctx, next) =>
    ctx.path === '/graphql'
      ? answeredRequestId.run(ctx.state.requestId, () =>
          withReadingBudget(() => middleware(ctx, async () => undefined)),
        )
      : next();
}
