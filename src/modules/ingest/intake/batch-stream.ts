import { REPORTED_IDS } from '../../../events/row-tail.js';
import type { Clock } from '../../../kernel/clock.js';
import type { EventMeter } from '../../quotas/event-meter.js';
import { lengthOf, rowId } from '../copy/copy-binary.js';
import type { CopyLink } from '../copy/copy-link.js';
import type { OperationKind } from '../operations/operation-kinds.js';
import type { AliasOperation, PeopleOperation } from '../people/identity-operations.js';
import { MAX_PROFILE_BYTES } from '../people/identity-state.js';
import { changeIdentitiesInParts, lockIdentities } from '../people/identity-store.js';
import { type BatchRefusal, BatchScanner, type StreamSink } from '../scan/batch-scanner.js';
import type { SpooledRange } from '../scan/large-operation.js';
import type { Tenant } from '../tenant.js';
import { ByteSpool } from './byte-spool.js';
import { noteRowsSql } from './event-notes.js';
import { beginFor, COPY_EVENTS, type WriteOutcome } from './event-writer.js';
import { IngestRequest, type InsertIdRow, type LargePerson, type LargeRow } from './ingest-request.js';
import { OperationSpool } from './operation-spool.js';
import { claimInsertIds, claimRequestKeys, rowsWithout } from './write-statements.js';

/** Rows are sent in pieces of about this size; the next piece is read while PostgreSQL stores one. */
const SEGMENT_BYTES = 1024 * 1024;
const IDENTITY_SLICE = 1_000;

export type StreamResult = { refusal: BatchRefusal } | { outcome: WriteOutcome };

/** A person whose properties are in the spool. */
interface SpooledPerson extends LargePerson {
  readonly properties: SpooledRange;
}

interface SpooledEvent extends LargeRow {
  readonly properties: SpooledRange;
}

/**
 * Stores one batch while it is read, or a single operation if there is a kind, on its own connection: all in one transaction, in memory
 * that doesn't grow with the batch. Events are sent as they are read; aliases and people wait for the end, because they must be applied in
 * that order and because their environment's identities stay locked until the commit.
 */
export class BatchStream {
  readonly request: IngestRequest;
  private readonly scanner: BatchScanner;
  private readonly aliases = new OperationSpool<AliasOperation>();
  private readonly people = new OperationSpool<PeopleOperation | SpooledPerson>();
  /** The properties of operations that are too large for memory. */
  private readonly spool = new ByteSpool();
  private largeEvents: SpooledEvent[] = [];
  private hasBegun = false;
  private voided = false;
  firstIds: string[] = [];
  private sentRows = 0;
  private metered = 0;
  private writing: Promise<void> = Promise.resolve();
  private failure: unknown = null;

  constructor(
    tenant: Tenant,
    private readonly link: CopyLink,
    private readonly meter: EventMeter,
    private readonly clock: Clock,
    kind: OperationKind | null,
  ) {
    this.request = new IngestRequest(tenant, clock.now().getTime(), SEGMENT_BYTES + SEGMENT_BYTES / 8);
    const { spool } = this;
    const sink: StreamSink = {
      operation: (kind, fields) => this.request.operation(kind, fields),
      large: (kind, fields, properties) => this.takeLarge(this.request.large(kind, fields), properties),
      get length() {
        return spool.length;
      },
      add: (bytes) => spool.add(bytes),
      restart: () => {
        this.request.restart();
        this.largeEvents = [];
        this.voided = true;
      },
    };
    this.scanner = new BatchScanner(sink, kind);
  }

  /** Whether the body is invalid whatever follows. */
  get isHopeless(): boolean {
    return this.scanner.isHopeless;
  }

  /** Takes the next bytes; resolves when more may come. Rejects if the database rejects them; then nothing is stored. */
  async push(chunk: Buffer): Promise<void> {
    this.scanner.push(chunk);
    if (this.voided || this.scanner.isRefused) await this.undo();
    if (this.scanner.isRefused) return;
    await this.spool.settle();
    await this.spoolIdentities();
    for (const event of this.largeEvents.splice(0)) await this.sendLarge(event);
    if (this.request.rows.bytes >= SEGMENT_BYTES) await this.sendSegment();
  }

  async finish(): Promise<StreamResult> {
    const refusal = this.scanner.finish();
    if (refusal) {
      await this.undo();
      return { refusal };
    }
    if (this.voided) await this.undo();
    await this.spool.settle();
    await this.spoolIdentities();
    for (const event of this.largeEvents.splice(0)) await this.sendLarge(event);
    const { request, link } = this;
    const { counts } = request;
    if (request.operations === 0) return { outcome: { kind: 'stored', counts, rows: 0 } };
    await this.sendSegment();
    await this.writingDone();
    const now = this.clock.now();
    const { replayed, reused } = await claimRequestKeys(link, [request], now);
    if (reused.length > 0) request.warn('reused_idempotency_key');
    const before = replayed.get(request);
    if (before) return this.giveUp({ kind: 'replayed', counts: before });
    await this.changeIdentities(now);
    const { tenant } = request;
    let crossed = false;
    if (tenant.environment === 'live' && this.metered > 0) {
      const standing = await this.meter.consume(link, tenant, this.metered, now);
      if (!standing.allowed) return this.giveUp({ kind: 'over_quota', standing });
      crossed = standing.crossed.length > 0;
    }
    await link.run(counts.events > 0 ? `${noteRowsSql([request])};commit` : 'commit');
    if (crossed) this.meter.announce(tenant.projectId);
    return { outcome: { kind: 'stored', counts, rows: this.metered } };
  }

  async abort(): Promise<void> {
    this.link.break();
    await this.writing.catch(() => undefined);
    await this.close();
  }

  async close(): Promise<void> {
    await this.aliases.clear();
    await this.people.clear();
    await this.spool.clear();
  }

  private async giveUp(outcome: WriteOutcome): Promise<StreamResult> {
    await this.undo();
    return { outcome };
  }

  private async undo(): Promise<void> {
    this.voided = false;
    await this.writingDone();
    await this.aliases.clear();
    await this.people.clear();
    if (this.hasBegun) await this.link.run('rollback');
    this.hasBegun = false;
    this.sentRows = 0;
    this.metered = 0;
    this.firstIds = [];
  }

  private takeLarge(taken: LargeRow | LargePerson | null, properties: SpooledRange): void {
    if (taken === null) return;
    if ('row' in taken) {
      this.largeEvents.push({ ...taken, properties });
      return;
    }
    this.takeIdentities();
    this.people.add({ ...taken, properties });
  }

  private takeIdentities(): void {
    const { aliases, people } = this.request.takeIdentityOperations();
    for (const operation of aliases) this.aliases.add(operation);
    for (const operation of people) this.people.add(operation);
  }

  private async spoolIdentities(): Promise<void> {
    this.takeIdentities();
    await this.aliases.settle();
    await this.people.settle();
  }

  /** Waits for the previous segment, so that at most one is in flight while the next is read. */
  private async sendSegment(): Promise<void> {
    await this.writingDone();
    const { request } = this;
    this.firstIds.push(...request.rows.firstIds(REPORTED_IDS - this.firstIds.length));
    const rows = request.rows.take();
    const { insertIds } = request;
    request.insertIds = [];
    const count = request.rows.count - this.sentRows;
    this.sentRows = request.rows.count;
    this.writing = this.store(rows, insertIds, count).catch((error: unknown) => {
      this.failure = error;
    });
  }

  /** An event whose properties come from the spool, on its own. */
  private async sendLarge({ row, insertId, properties }: SpooledEvent): Promise<void> {
    await this.writingDone();
    const { link, request } = this;
    await this.begin();
    this.sentRows++;
    const claim = { tenant: request.tenant, insertIds: insertId ? [insertId] : [] };
    const repeated = await claimInsertIds(link, [claim], this.clock.now());
    if (repeated.size > 0) {
      request.warn('repeated_insert_id');
      return;
    }
    await link.run(COPY_EVENTS, this.largeRow(row, properties));
    if (this.firstIds.length < REPORTED_IDS) this.firstIds.push(rowId(row));
    this.metered++;
  }

  private async *largeRow(row: Buffer, properties: SpooledRange): AsyncGenerator<Buffer> {
    yield Buffer.concat([row, lengthOf(properties.to - properties.from)]);
    yield* this.spool.read(properties);
  }

  private async begin(): Promise<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    await this.link.run(beginFor('own'));
  }

  private async writingDone(): Promise<void> {
    await this.writing;
    if (this.failure) throw this.failure;
  }

  private async store(rows: Buffer, insertIds: InsertIdRow[], count: number): Promise<void> {
    const { link, request } = this;
    await this.begin();
    const repeated = await claimInsertIds(link, [{ tenant: request.tenant, insertIds }], this.clock.now());
    for (const _ of repeated) request.warn('repeated_insert_id');
    const parts = rowsWithout(rows, insertIds, repeated);
    if (parts.length > 0) await link.run(COPY_EVENTS, parts);
    this.metered += count - repeated.size;
    request.rows.reuse(rows);
  }

  private async changeIdentities(now: Date): Promise<void> {
    const { tenant } = this.request;
    let locked = false;
    const apply = async (aliases: AliasOperation[], people: PeopleOperation[]): Promise<void> => {
      if (!locked) await lockIdentities(this.link, [tenant]);
      locked = true;
      const ignored = await changeIdentitiesInParts(this.link, tenant, { aliases, people }, now);
      for (const reason of ignored) this.request.warn(reason);
    };
    for await (const aliases of this.aliases.batches(IDENTITY_SLICE)) await apply(aliases, []);
    for await (const people of this.people.batches(IDENTITY_SLICE)) {
      const small: PeopleOperation[] = [];
      for (const operation of people) {
        const { distinctId, properties } = operation;
        if (typeof properties === 'string') {
          small.push({ distinctId, properties });
          continue;
        }
        await apply([], small.splice(0));
        await apply([], [{ distinctId, properties: await this.profile(properties) }]);
      }
      await apply([], small);
    }
  }

  /** The properties of a large operation; none, and a warning, if they exceed the limit of a profile. */
  private async profile(properties: SpooledRange): Promise<string> {
    if (properties.to - properties.from > MAX_PROFILE_BYTES) {
      this.request.warn('profile_too_large');
      return '{}';
    }
    const pieces: Buffer[] = [];
    for await (const piece of this.spool.read(properties)) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  }
}
