import { createHash } from 'node:crypto';
import type { ClientConfig } from 'pg';
import { REPORTED_IDS, type RowTail } from '../../../events/row-tail.js';
import type { KeyActor } from '../../../kernel/actor.js';
import { BODY_BUDGET } from '../../../kernel/bodies/body-budget.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Context } from '../../../kernel/context.js';
import { DomainError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import { freeBuffer } from '../../../kernel/memory/free-buffer.js';
import type { Tracer } from '../../../kernel/tracing/tracer.js';
import { FairTurns } from '../../../kernel/turns/fair-turns.js';
import { SharedTurns } from '../../../kernel/turns/shared-turns.js';
import { keyOf } from '../../access/guard.js';
import { type EventMeter, PREPARE_STRICT_METERING } from '../../quotas/event-meter.js';
import { quotaFailure } from '../../quotas/quotas.errors.js';
import { CopyConnection, type CopyLink } from '../copy/copy-link.js';
import { GroupCommit } from '../copy/group-commit.js';
import { eventPlace } from '../events/live-events.js';
import { ingestFailure } from '../ingest.errors.js';
import type { OperationKind } from '../operations/operation-kinds.js';
import { HeavyIdentities } from '../people/identity-store.js';
import { type BatchRefusal, BatchScanner, type StreamSink, scanPayload } from '../scan/batch-scanner.js';
import type { Tenant } from '../tenant.js';
import type { WarningCounter } from '../warnings/warning-counter.js';
import { ArrivingBody, SlowBody } from './arriving-body.js';
import { type OperationReport, reportOperations } from './batch-report.js';
import { BatchStream } from './batch-stream.js';
import { EventWriter, LOCK_MS, LockedTooLong, needsSteps, type WriteOutcome } from './event-writer.js';
import { HeldUpRequests } from './held-up-requests.js';
import { type AcceptedCounts, IngestRequest } from './ingest-request.js';
import { openStream, StreamPlaces } from './stream-places.js';

/**
 * A request's body as bytes, after decompression, within the server's limits on size and memory for bodies. Both methods fail with a
 * DomainError: `invalid_body` for bytes that can't be decompressed, the face's own if the body is too large, there is no room, or the
 * client is gone.
 */
export interface ByteSource {
  /** The whole body, now owned by the caller, if it has at most `limit` bytes; else null, and what was read is kept for {@link rest}. */
  whole(limit: number): Promise<Buffer | null>;
  /** The body from the start, chunk by chunk; a chunk is invalid once the next one is requested. */
  rest(): AsyncIterable<Buffer>;
}

export interface BatchAnswer {
  project: Pick<KeyActor, 'projectId' | 'projectName' | 'environment'>;
  /** Null if every operation was discarded. */
  counts: AcceptedCounts | null;
}

export interface IntakeTerms {
  readonly idempotencyKey: string | null;
  /** The client's clock when it sent the request, ISO 8601; null if it doesn't say. */
  readonly sentAt: string | null;
}

/** The content of a body that is stored while it arrives: a batch, or one operation of a kind. */
interface StreamForm extends IntakeTerms {
  readonly kind: OperationKind | null;
}

export interface IngestionParts {
  database: ClientConfig;
  meter: EventMeter;
  warnings: WarningCounter;
  clock: Clock;
  logger: Logger;
  tracer: Tracer | undefined;
  tail: RowTail;
  /** Creates the missing months of events. */
  makeMonths(): Promise<void>;
}

/** Larger bodies are stored while they arrive. */
const STREAM_FROM_BYTES = 1024 * 1024;
/** Large bodies that may be arriving at once, each from another project. */
const ARRIVALS = 8;
/** How long a body that arrived slowly and is now complete waits for its turn. */
const WHOLE_BODY_WAIT_MS = 60_000;
/** Projects whose requests may be written apart at once, since they would hold up others. */
const HELD_UP = 2;
/** Large bodies that may be stored at once, each on its own connection: while they arrive, unless a client is slow. */
const STREAMS = 2;

/** Two connections and groups of two thousand measured best; the lane for requests with steps keeps locks away from the others. */
const PLAIN = { lanes: 2, groupOperations: 2_000, bufferedOperations: 50_000, bufferedBytes: 48 * 1024 * 1024 };
const STEPWISE = { lanes: 1, groupOperations: 500, bufferedOperations: 20_000, bufferedBytes: 24 * 1024 * 1024 };

/** Counts the operations of a body that is validated while it arrives, and stored afterwards. */
class ArrivingOperations implements StreamSink {
  operations = 0;
  readonly length = 0;

  operation(): void {
    this.operations += 1;
  }

  large(): void {
    this.operations += 1;
  }

  add(): void {}

  restart(): void {
    this.operations = 0;
  }
}

/** Ingests operations and answers once they are durable (docs/rest.md, Ingestion). */
export class IngestionService {
  readonly accepted = { track: 0, people: 0, alias: 0 };
  private readonly writer: EventWriter;
  private readonly plain: GroupCommit<IngestRequest, WriteOutcome>;
  private readonly stepwise: GroupCommit<IngestRequest, WriteOutcome>;
  private readonly heldUp: HeldUpRequests;
  private readonly streams: StreamPlaces;
  private readonly arrivals = new FairTurns({
    places: ARRIVALS,
    room: Number.POSITIVE_INFINITY,
    longestWaitMs: BODY_BUDGET.waitMs,
    failure: () => ingestFailure('ingest_unavailable'),
  });
  private readonly scanning = new SharedTurns();
  /** Bodies that are arriving, or being written on their own connection. */
  private readonly streamed = new Set<{ readonly operations: number }>();

  constructor(private readonly parts: IngestionParts) {
    const { database, meter, clock, logger, tracer, makeMonths } = parts;
    const config = { ...database, application_name: 'quarterdeck ingestion' };
    const connection = () => new CopyConnection(config, PREPARE_STRICT_METERING, tracer);
    const connections = Array.from({ length: PLAIN.lanes + STEPWISE.lanes }, connection);
    this.streams = new StreamPlaces(Array.from({ length: STREAMS }, connection));
    this.writer = new EventWriter(connections, meter, clock, logger, makeMonths);
    // Anyone waiting for a slot waits for another's lock.
    const apart = new StreamPlaces(Array.from({ length: HELD_UP }, connection), LOCK_MS.own);
    this.heldUp = new HeldUpRequests(this.writer, apart);
    this.plain = new GroupCommit(PLAIN, (requests, lane) => this.writer.flush(requests, lane));
    this.stepwise = new GroupCommit(STEPWISE, (requests, lane) => this.writer.flush(requests, PLAIN.lanes + lane));
  }

  /** Stores a body `{"operations":[…]}` completely or not at all. Fails with the module's errors and with `quota_exceeded`. */
  async batch(ctx: Context, source: ByteSource, terms: IntakeTerms): Promise<BatchAnswer> {
    const key = keyOf(ctx, 'ingest');
    const body = await source.whole(STREAM_FROM_BYTES);
    const counts = body ? await this.store(key, terms, body) : await this.stream(key, { ...terms, kind: null }, source);
    return { project: key, counts };
  }

  /**
   * Validates a batch of at most 1 MiB as {@link batch} would, operation by operation, without storing anything. Fails with `invalid_body`,
   * `no_operations`, `value_too_large`.
   */
  async report(ctx: Context, source: ByteSource): Promise<OperationReport[]> {
    const key = keyOf(ctx, 'ingest');
    const body = await source.whole(STREAM_FROM_BYTES);
    if (!body) throw ingestFailure('value_too_large');
    const request = () => new IngestRequest(tenantOf(key), this.parts.clock.now().getTime());
    const report = await this.scanning.run(() => reportOperations(body, request));
    freeBuffer(body);
    if (!Array.isArray(report)) throw ingestFailure(report.code);
    return report;
  }

  /** Stores a body that is a single operation's payload; false if its id was garbage. */
  async single(ctx: Context, kind: OperationKind, source: ByteSource, sentAt: string | null): Promise<boolean> {
    const key = keyOf(ctx, 'ingest');
    const body = await source.whole(STREAM_FROM_BYTES);
    if (!body) return (await this.stream(key, { idempotencyKey: null, sentAt, kind }, source)) !== null;
    const request = new IngestRequest(tenantOf(key), ctx.now().getTime(), body.length + 256);
    request.sentAt(sentAt);
    const refusal = await this.scanning.run(() => scanPayload(kind, body, request));
    freeBuffer(body);
    refuse(refusal);
    return (await this.commit(request)) !== null;
  }

  /** Operations waiting for their commit or being written. */
  get depth(): number {
    const streamed = [...this.streamed].reduce((sum, { operations }) => sum + operations, 0);
    return this.plain.depth + this.stepwise.depth + this.heldUp.depth + streamed;
  }

  /** Whether large bodies are waiting because others have all the slots. */
  get isCrowded(): boolean {
    return this.arrivals.isCrowded;
  }

  /** Writes what is buffered, then disconnects. */
  async close(): Promise<void> {
    await this.plain.drain();
    await this.stepwise.drain();
    await this.heldUp.close();
    await this.parts.warnings.flush();
    await this.writer.close();
    await this.streams.close();
  }

  private async store(
    key: KeyActor,
    { idempotencyKey, sentAt }: IntakeTerms,
    body: Buffer,
  ): Promise<AcceptedCounts | null> {
    const request = new IngestRequest(tenantOf(key), this.parts.clock.now().getTime(), body.length + 1024);
    request.sentAt(sentAt);
    const refusal = await this.scanning.run(() => {
      if (idempotencyKey !== null) request.rememberBy(idempotencyKey, createHash('sha256').update(body).digest());
      return new BatchScanner(request).scan(body);
    });
    freeBuffer(body);
    refuse(refusal);
    return this.commit(request);
  }

  private async commit(request: IngestRequest): Promise<AcceptedCounts | null> {
    try {
      if (request.operations === 0) return null;
      const outcome = await this.write(request);
      this.reportStored(request.tenant, outcome, () => request.rows.firstIds(REPORTED_IDS));
      request.rows.free();
      return this.counted(outcome);
    } finally {
      this.parts.warnings.add(request.tenant, request.warnings);
    }
  }

  private write(request: IngestRequest): Promise<WriteOutcome> {
    if (this.writer.isHeldUp(request)) return this.heldUp.submit(request);
    const group = needsSteps(request) ? this.stepwise : this.plain;
    if (group.isFull(request)) throw ingestFailure('ingest_unavailable');
    return group.submit(request).catch((error: unknown) => {
      if (error instanceof HeavyIdentities || error instanceof LockedTooLong) return this.heldUp.submit(request);
      throw error;
    });
  }

  /** The ids are read only if someone listens. */
  private reportStored({ projectId, environment }: Tenant, outcome: WriteOutcome, ids: () => readonly string[]): void {
    const place = eventPlace(projectId, environment);
    if (outcome.kind === 'stored' && this.parts.tail.isWanted(place))
      this.parts.tail.stored(place, ids(), outcome.rows);
  }

  private counted(outcome: WriteOutcome): AcceptedCounts {
    const counts = acceptedBy(outcome);
    if (outcome.kind === 'stored') {
      this.accepted.track += outcome.rows;
      this.accepted.people += counts.people;
      this.accepted.alias += counts.aliases;
    }
    return counts;
  }

  private stream(key: KeyActor, form: StreamForm, source: ByteSource): Promise<AcceptedCounts | null> {
    return this.arrivals.take(key.projectId, async () => {
      const body = new ArrivingBody(source.rest());
      const store = (longestWaitMs?: number) =>
        this.streams.use(
          key.projectId,
          async (connection) => this.streamOver(await openStream(connection), key, form, body.bytes()),
          longestWaitMs,
        );
      const storeWhole = async () => {
        const arriving = new ArrivingOperations();
        const scanner = new BatchScanner(arriving, form.kind);
        this.streamed.add(arriving);
        const isHopeless = (chunk: Buffer): boolean => {
          scanner.push(chunk);
          return scanner.isHopeless;
        };
        await body.arrival(isHopeless).finally(() => this.streamed.delete(arriving));
        return store(WHOLE_BODY_WAIT_MS);
      };
      try {
        if (!(await body.comesQuickly())) return await storeWhole();
        return await store().catch((error: unknown) => {
          if (error instanceof SlowBody) return storeWhole();
          throw error;
        });
      } catch (error) {
        throw unforeseenAs(error);
      } finally {
        await body.close();
      }
    });
  }

  private async streamOver(
    link: CopyLink,
    key: KeyActor,
    { idempotencyKey, sentAt, kind }: StreamForm,
    chunks: AsyncIterable<Buffer>,
  ): Promise<AcceptedCounts | null> {
    const { meter, clock, warnings } = this.parts;
    const batch = new BatchStream(tenantOf(key), link, meter, clock, kind);
    batch.request.sentAt(sentAt);
    this.streamed.add(batch.request);
    const hash = idempotencyKey === null ? null : createHash('sha256');
    try {
      for await (const chunk of chunks) {
        hash?.update(chunk);
        await batch.push(chunk);
        if (batch.isHopeless) break;
      }
      if (hash && idempotencyKey !== null) batch.request.rememberBy(idempotencyKey, hash.digest());
      const result = await batch.finish();
      warnings.add(batch.request.tenant, batch.request.warnings);
      if ('refusal' in result) throw refusalFailure(result.refusal);
      this.reportStored(batch.request.tenant, result.outcome, () => batch.firstIds);
      return batch.request.operations === 0 ? null : this.counted(result.outcome);
    } catch (error) {
      await batch.abort();
      // What was read is gone; the client's repeat finds the month.
      await this.writer.hasMadeMonth(error);
      throw error instanceof SlowBody ? error : this.writer.failureOf(error, batch.request);
    } finally {
      this.streamed.delete(batch.request);
      await batch.close();
    }
  }
}

/** An error that isn't the module's comes from the disk on which the body is kept. */
const unforeseenAs = (error: unknown): unknown =>
  error instanceof DomainError ? error : Object.assign(ingestFailure('ingest_unavailable'), { cause: error });

const tenantOf = ({ organizationId, projectId, environment, keyId }: KeyActor): Tenant => ({
  organizationId,
  projectId,
  environment,
  keyId,
});

function refusalFailure(refusal: BatchRefusal): DomainError {
  switch (refusal.code) {
    case 'unknown_type':
      return ingestFailure('unknown_operation_type', { index: refusal.index });
    case 'invalid_payload':
      return ingestFailure('invalid_payload', { type: refusal.type, index: refusal.index });
    default:
      return ingestFailure(refusal.code);
  }
}

function refuse(refusal: BatchRefusal | null): void {
  if (refusal) throw refusalFailure(refusal);
}

function acceptedBy(outcome: WriteOutcome): AcceptedCounts {
  if (outcome.kind !== 'over_quota') return outcome.counts;
  const { current, limit, resetsAt } = outcome.standing;
  throw quotaFailure('quota_exceeded', {
    meter: 'events',
    current,
    limit: limit ?? 0,
    resetsAt: resetsAt.toISOString(),
  });
}
