import type { Pool } from 'pg';
import type { Env } from '../env.js';
import type { Reaction } from '../events/dispatcher.js';
import type { EventFeed } from '../events/event-feed.js';
import type { EventLog } from '../events/event-log.js';
import type { RowTail } from '../events/row-tail.js';
import type { TokenGuard } from '../graphql/http/token-guard.js';
import type { JobHandlers, JobQueue } from '../jobs/job-queue.js';
import type { Clock } from '../kernel/clock.js';
import { type Context, systemCaller } from '../kernel/context.js';
import type { Transactions } from '../kernel/database/transactions.js';
import type { Logger } from '../kernel/logger.js';
import type { Metrics } from '../kernel/metrics.js';
import type { OpenStreams } from '../kernel/streams/open-streams.js';
import type { Tracer } from '../kernel/tracing/tracer.js';
import type { Operators } from '../modules/access/operators.js';
import type { QuotaService } from '../modules/quotas/quota.service.js';
import type { ObjectStore } from '../storage/objects/object-store.js';
import type { SharedState } from '../storage/shared/open-shared-state.js';

/** What a process is made of, and the settings that shape it. */
export interface AppOptions {
  env: Env;
  databaseUrl: string;
  /** Another way to reach the same database, if there is a better one for bulk copies. */
  copyUrl?: string;
  jwtSecret: string;
  clock: Clock;
  logger: Logger;
}

/** What every module may be built from. */
export interface Parts extends AppOptions {
  pool: Pool;
  tx: Transactions;
  shared: SharedState;
  jobs: JobQueue;
  events: EventLog;
  operators: Operators;
  quotas: QuotaService;
  objects: ObjectStore;
  metrics: Metrics;
  /** Tells listeners which events were stored. */
  feed: EventFeed;
  /** Tells listeners which events were ingested, and which deliveries changed. */
  tails: { readonly events: RowTail; readonly deliveries: RowTail };
  /** Checks open subscriptions. */
  tokenGuard: TokenGuard;
  /** All event streams that clients hold open in this process. */
  streams: OpenStreams;
  /** Undefined unless a trace collector is set. */
  tracer: Tracer | undefined;
}

/** A module as the application sees it. */
export interface Composed<Services extends object> {
  services: Services;
  resolvers: object[];
  /** Its reactions to stored events. */
  reactions?: Reaction[];
  jobHandlers?: Partial<JobHandlers>;
  /** Work that a process with the worker role runs until it is stopped. */
  worker?: { start(): void | Promise<void>; stop(): Promise<void> };
  /** Its parts that are currently unavailable although the process is ready; for `/readyz`. */
  degraded?: () => string[];
  /** Runs before the process serves or works. */
  open?: () => Promise<void>;
  /** Runs when the process ends, before the database is closed. */
  close?: () => Promise<void>;
}

/** Runs a verb in a transaction on behalf of the system, as jobs do. */
export function asSystem<T>(tx: Transactions, name: string, verb: (ctx: Context) => Promise<T>): Promise<T> {
  return tx.write(systemCaller(name), verb);
}
