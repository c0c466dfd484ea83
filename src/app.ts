import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM, PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { GraphQLSchema } from 'graphql';
import type pg from 'pg';
import { composeAccess } from './compose/access.js';
import { composeAnalytics } from './compose/analytics.js';
import { composeCatch } from './compose/catch.js';
import { composeConfig } from './compose/config.js';
import { composeDeploy } from './compose/deploy.js';
import { composeDocuments } from './compose/documents.js';
import { composeGraph } from './compose/graph.js';
import { composeIngest } from './compose/ingest.js';
import type { AppOptions, Composed, Parts } from './compose/parts.js';
import { composePlan } from './compose/plan.js';
import { composePulse } from './compose/pulse.js';
import { composeSwitch } from './compose/switch.js';
import { composeWebhooks } from './compose/webhooks.js';
import type { Env } from './env.js';
import { EventFeed } from './events/event-feed.js';
import { EventLog } from './events/event-log.js';
import { measureEvents } from './events/event-metrics.js';
import { subscribeToNotices } from './events/event-notices.js';
import { LiveRows } from './events/live-rows.js';
import { RowTail } from './events/row-tail.js';
import { TokenGuard } from './graphql/http/token-guard.js';
import { OperationCounts } from './graphql/operation-counts.js';
import { createSchema } from './graphql/schema.js';
import type { SubscriptionSources } from './graphql/subscriptions.js';
import { measureQueue } from './jobs/job-metrics.js';
import { JobQueue } from './jobs/job-queue.js';
import type { Actor } from './kernel/actor.js';
import { boundedPool } from './kernel/database/bounded-pool.js';
import { dropForgottenConnections } from './kernel/database/forgotten-connections.js';
import { Transactions } from './kernel/database/transactions.js';
import type { Logger } from './kernel/logger.js';
import { Metrics } from './kernel/metrics.js';
import { OpenStreams } from './kernel/streams/open-streams.js';
import { openTracer } from './kernel/tracing/open-tracer.js';
import { tracedClient } from './kernel/tracing/traced-database.js';
import type { Tracer } from './kernel/tracing/tracer.js';
import { migrate } from './migrations/migrate.js';
import { Operators } from './modules/access/operators.js';
import { LIVE_EVENTS } from './modules/ingest/events/live-events.js';
import { QuotaService } from './modules/quotas/quota.service.js';
import { LIVE_DELIVERIES } from './modules/webhooks/log/live-deliveries.js';
import { openOrm } from './orm.js';
import { DiskProbe } from './storage/objects/disk-probe.js';
import { OBJECT_LINKS_PATH, objectLinkSecret } from './storage/objects/object-link-settings.js';
import { openObjectStore } from './storage/objects/open-object-store.js';
import { openSharedState } from './storage/shared/open-shared-state.js';

/** Every module, wired; their order is that of the schema and of shutting down. */
function composeModules(parts: Parts) {
  const analytics = composeAnalytics(parts);
  const ingest = composeIngest(parts, analytics.services.analyticsReader);
  const pulse = composePulse(parts, analytics.services.analyticsReader);
  const catching = composeCatch(parts);
  const access = composeAccess(parts);
  const plan = composePlan(parts, pulse.services.surveys);
  return {
    access,
    config: composeConfig(parts),
    ingest,
    switch: composeSwitch(parts, {
      samples: ingest.services.personSamples,
      keysById: access.services.keysById,
      catalogues: pulse.services.surveyCatalogues,
    }),
    pulse,
    plan,
    catch: catching,
    deploy: composeDeploy(parts),
    webhooks: composeWebhooks(parts),
    documents: composeDocuments(parts),
    graph: composeGraph(catching.services, pulse.services, plan.services),
    analytics,
  };
}

type Modules = ReturnType<typeof composeModules>;
type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Services = Intersection<Modules[keyof Modules]['services']> & { events: EventLog };

/** The services of one process, wired once. Faces and workers take what they need from here. */
export class App {
  readonly services: Services;
  readonly schema: GraphQLSchema;
  readonly modules: readonly Composed<object>[];
  readonly operationCounts: OperationCounts;

  private readonly disks: readonly DiskProbe[];

  private constructor(
    readonly parts: Parts,
    readonly orm: MikroORM,
  ) {
    const { databaseUrl, dataDir } = parts.env;
    this.disks = [tmpdir(), ...(databaseUrl ? [] : [dataDir])].map((folder) => new DiskProbe(folder));
    this.modules = Object.values(composeModules(parts));
    this.services = Object.assign(
      { events: parts.events },
      ...this.modules.map(({ services }) => services),
    ) as Services;
    this.operationCounts = new OperationCounts(parts.metrics);
    this.schema = createSchema(this.modules.flatMap(({ resolvers }) => resolvers));
  }

  /** Opens the database, migrates its schema and wires the modules; rejects if it is to stop while it migrates. */
  static async open(options: AppOptions, runsJobs: boolean, stopping?: AbortSignal): Promise<App> {
    const { env, databaseUrl, jwtSecret, clock, logger } = options;
    const tracer = await openTracer(env);
    const orm = await openOrm(databaseUrl, env, logger, tracer);
    await migrate(orm, databaseUrl, logger, stopping).catch(async (error: unknown) => {
      await orm.close(true);
      throw error;
    });
    const shared = openSharedState({ ...env, databaseUrl, jwtSecret, clock, logger });
    const events = new EventLog(shared.broadcast);
    const pool = openPool(databaseUrl, env, logger, tracer);
    const ofOrm = await ormPool(orm);
    for (const one of [pool, ofOrm]) dropForgottenConnections(one, databaseUrl);
    const metrics = measuredProcess(pool, ofOrm);
    const operators = new Operators(env.operators);
    const tx = new Transactions(orm, clock, logger, pool);
    const tokenGuard = new TokenGuard();
    subscribeToNotices(shared.broadcast, (notice) => {
      if (notice === null || notice.kind.startsWith('access.')) void tokenGuard.recheck();
    });
    const parts: Parts = {
      ...options,
      pool,
      tx,
      feed: new EventFeed(tx, shared.broadcast, logger),
      tails: {
        events: new RowTail(shared.broadcast, 'events'),
        deliveries: new RowTail(shared.broadcast, 'deliveries'),
      },
      tokenGuard,
      shared,
      jobs: await JobQueue.open(databaseUrl, runsJobs, logger),
      events,
      operators,
      quotas: new QuotaService(events, operators),
      objects: await openObjectStore(env, {
        linkBase: env.publicUrl + OBJECT_LINKS_PATH,
        linkSecret: objectLinkSecret(jwtSecret),
      }),
      metrics,
      streams: new OpenStreams(
        { key: env.streamsPerKey, token: env.streamsPerToken, organization: env.streamsPerOrganization },
        metrics,
      ),
      tracer,
    };
    const app = new App(parts, orm);
    for (const { open } of app.modules) await open?.();
    return app;
  }

  get subscriptionSources(): SubscriptionSources {
    const { feed, tails, logger } = this.parts;
    return {
      feed,
      rows: {
        events: new LiveRows(tails.events, LIVE_EVENTS, this.tx, logger),
        deliveries: new LiveRows(tails.deliveries, LIVE_DELIVERIES, this.tx, logger),
      },
    };
  }

  get options(): AppOptions {
    return this.parts;
  }

  get tx(): Transactions {
    return this.parts.tx;
  }

  get tracer(): Tracer | undefined {
    return this.parts.tracer;
  }

  get pool(): pg.Pool {
    return this.parts.pool;
  }

  /** The user or automation behind a bearer token; null when the token is invalid. */
  async identifyToken(token: string, request: { requestId: string; address: string | null }): Promise<Actor | null> {
    const caller = { actor: { kind: 'anonymous' } as const, ...request };
    return this.tx.read(caller, (ctx) => this.services.authentication.identify(ctx, token));
  }

  /** Whether the disk accepts this process's own writes: working files, and the embedded database. */
  async diskTakesWrites(): Promise<boolean> {
    return Promise.all(this.disks.map((disk) => disk.check())).then(
      () => true,
      () => false,
    );
  }

  /** Whether the database answers; the migrations ran before the app existed. */
  async databaseAnswers(): Promise<boolean> {
    try {
      await this.pool.query('select 1');
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    this.parts.feed.close();
    for (const tail of Object.values(this.parts.tails)) tail.close();
    this.parts.tokenGuard.close();
    await this.parts.jobs.close();
    for (const { close } of this.modules) await close?.();
    await this.parts.shared.close();
    const connections = Promise.all([this.pool.end(), this.orm.close()]);
    await Promise.race([connections, sleep(CONNECTIONS_END_MS, undefined, { ref: false })]);
    await this.tracer?.close();
  }
}

/** The statement of a job abandoned at shutdown would otherwise keep its connection until it finishes. */
const CONNECTIONS_END_MS = 1_000;

function openPool(databaseUrl: string, env: Env, logger: Logger, tracer: Tracer | undefined): pg.Pool {
  const config: pg.PoolConfig = {
    connectionString: databaseUrl,
    max: env.databasePool,
    connectionTimeoutMillis: env.databasePatienceMs,
  };
  const pool = boundedPool(config, tracer && tracedClient(tracer));
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection was lost'));
  return pool;
}

const ormPool = (orm: MikroORM): Promise<pg.Pool> => (orm.em.getConnection() as PostgreSqlConnection).getNativeClient();

/** What `/metrics` reports about the process, its queue and its connections. */
function measuredProcess(pool: pg.Pool, ofOrm: pg.Pool): Metrics {
  const metrics = new Metrics();
  const sum = (count: 'totalCount' | 'idleCount' | 'waitingCount') => pool[count] + ofOrm[count];
  // Before the readings that query the database themselves, which would count.
  const states = () =>
    new Map([
      ['open', sum('totalCount')],
      ['idle', sum('idleCount')],
      ['awaited', sum('waitingCount')],
    ]);
  metrics.gauge('database_connections', "Connections of the process's own pools", states, 'state');
  measureEvents(metrics, pool);
  measureQueue(metrics, pool);
  return metrics;
}
