import type { Clock } from '../../../kernel/clock.js';
import { codeOf, isRetryableConflict, LOCK_TIMEOUT } from '../../../kernel/database/database-failures.js';
import { DomainError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import type { EventMeter } from '../../quotas/event-meter.js';
import type { Metered } from '../../quotas/metering.js';
import { EVENT_COLUMNS } from '../copy/copy-binary.js';
import type { CopyConnection, CopyLink } from '../copy/copy-link.js';
import { isMonthMissing } from '../events/event-partitions.js';
import { ingestFailure } from '../ingest.errors.js';
import {
  byEnvironment,
  changeIdentities,
  changeIdentitiesInParts,
  HeavyIdentities,
  lockIdentities,
} from '../people/identity-store.js';
import type { Tenant } from '../tenant.js';
import type { WarningReason } from '../warnings/warning-reasons.js';
import { noteRowsSql } from './event-notes.js';
import type { AcceptedCounts, IngestRequest } from './ingest-request.js';
import { claimInsertIds, claimRequestKeys, rowsWithout } from './write-statements.js';

export type WriteOutcome =
  /** `rows` is the number of its rows now. */
  | { kind: 'stored'; counts: AcceptedCounts; rows: number }
  /** The `Idempotency-Key` was used before; these were the counts then. */
  | { kind: 'replayed'; counts: AcceptedCounts }
  | { kind: 'over_quota'; standing: Metered };

export const COPY_EVENTS = `copy event (${EVENT_COLUMNS}) from stdin (format binary)`;

/** How long requests written together with other projects' wait for a lock within their project; requests written apart wait longer. */
export const LOCK_MS = { shared: 200, own: 10_000 };
/** How long a project's changes to persons are written apart from the others after waiting in vain. */
const HELD_UP_MS = 5_000;

/** Begins a transaction that waits for no lock longer than others should wait for it. */
export const beginFor = (company: Company): string => `begin;set local lock_timeout = ${LOCK_MS[company]}`;

/** Nobody's requests lock what follows, only, for moments, an upgrade, which everyone waits for. */
const WAIT = 'set local lock_timeout = 0';

/**
 * Another transaction holds a lock on what a request changes, for longer than other projects' requests should wait; nothing of it is
 * stored.
 */
export class LockedTooLong extends Error {
  constructor() {
    super('what this changes is locked for longer than others should wait');
  }
}

const hasWaitedInVain = (error: unknown): boolean =>
  error instanceof LockedTooLong || codeOf((error as Error).cause) === LOCK_TIMEOUT;

/** Data that PostgreSQL can't hold although it is valid: classes 22 (data exception) and 54 (program limit). */
const UNSTORABLE_STATE = /^(22|54)/;
const ATTEMPTS = 3;

/** Whether a request needs more than copying its rows: keys, insert ids or identities. */
export const needsSteps = (request: IngestRequest): boolean =>
  request.remembered !== null || request.insertIds.length > 0 || changesPersons(request);

const changesPersons = ({ people, aliases }: IngestRequest): boolean => people.length > 0 || aliases.length > 0;

/** What requests share that are likely to wait for the same lock. */
const waitsOf = (request: IngestRequest): string => `${request.tenant.projectId} ${changesPersons(request)}`;

interface Prepared {
  rows: Buffer[];
  metered: Map<string, { tenant: Tenant; amount: number }>;
  outcomes: WriteOutcome[];
  /** Counted once the transaction has begun. */
  warnings: [IngestRequest, WarningReason][];
}

/** Whether a request is written together with other projects', or on its own connection, where it may take its time. */
type Company = 'shared' | 'own';

/**
 * Writes groups of requests, each in one transaction: keys, insert ids, identities, the meter and the rows. A request is stored completely
 * or not at all. If the database rejects a group, its requests are written one by one, so that none suffers for another.
 */
export class EventWriter {
  /** Until when, in `performance.now()` time, by project. */
  private readonly heldUp = new Map<string, number>();

  constructor(
    private readonly connections: readonly CopyConnection[],
    private readonly meter: EventMeter,
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** Creates the missing months of events. */
    private readonly makeMonths: () => Promise<void>,
  ) {}

  /** Whether a request should use {@link writeApart} from the start. */
  isHeldUp(request: IngestRequest): boolean {
    const { projectId } = request.tenant;
    const until = this.heldUp.get(projectId);
    if (until === undefined) return false;
    if (until > performance.now()) return changesPersons(request);
    this.heldUp.delete(projectId);
    return false;
  }

  /**
   * The write function of a {@link GroupCommit}. Every rejection is one of this module's errors, meaning that nothing of that request is
   * stored or that its outcome is unknown; or it is {@link HeavyIdentities} or {@link LockedTooLong}, and the request must use {@link writeApart}.
   */
  async flush(requests: readonly IngestRequest[], lane: number): Promise<PromiseSettledResult<WriteOutcome>[]> {
    const link = await this.open(lane);
    try {
      const outcomes = await this.together(link, requests);
      return outcomes.map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      await this.rollback(link, error);
      if (error instanceof HeavyIdentities)
        return requests.length > 1 ? this.inHalves(requests, lane) : [{ status: 'rejected', reason: error }];
      if (codeOf(error) === LOCK_TIMEOUT) return this.byProject(requests, lane);
    }
    return this.oneByOne(link, requests);
  }

  /** Null if they must be written one by one. */
  private async groupApart(
    link: CopyLink,
    requests: readonly IngestRequest[],
  ): Promise<PromiseSettledResult<WriteOutcome>[] | null> {
    try {
      const outcomes = await this.together(link, requests, 'own');
      return outcomes.map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      await this.rollback(link, error);
      if (codeOf(error) !== LOCK_TIMEOUT) return null;
      return requests.map((request) => ({ status: 'rejected', reason: this.failureOf(error, request) }));
    }
  }

  private async oneByOne(
    link: CopyLink,
    requests: readonly IngestRequest[],
    company?: Company,
  ): Promise<PromiseSettledResult<WriteOutcome>[]> {
    const settled: PromiseSettledResult<WriteOutcome>[] = [];
    // Others that would wait for the same lock in vain have waited with the first.
    const inVain = new Map<string, PromiseRejectedResult>();
    for (const request of requests) {
      const waits = waitsOf(request);
      const [made] = await Promise.allSettled(inVain.has(waits) ? [] : [this.apart(link, request, company)]);
      const outcome = made ?? (inVain.get(waits) as PromiseRejectedResult);
      if (outcome.status === 'rejected' && hasWaitedInVain(outcome.reason)) inVain.set(waits, outcome);
      settled.push(outcome);
    }
    return settled;
  }

  /** A group with too many person changes for one transaction may fit into two; separate commits would cost each request more. */
  private async inHalves(
    requests: readonly IngestRequest[],
    lane: number,
  ): Promise<PromiseSettledResult<WriteOutcome>[]> {
    const half = Math.ceil(requests.length / 2);
    const settled = await this.flush(requests.slice(0, half), lane);
    const rest = requests.slice(half);
    const failed = (reason: unknown) => rest.map(() => ({ status: 'rejected' as const, reason }));
    return [...settled, ...(await this.flush(rest, lane).catch(failed))];
  }

  /** One project holds the lock the group waited for; the others continue without it. */
  private async byProject(
    requests: readonly IngestRequest[],
    lane: number,
  ): Promise<PromiseSettledResult<WriteOutcome>[]> {
    const groups = Map.groupBy(requests, waitsOf);
    if (groups.size === 1) {
      this.heldUp.set((requests[0] as IngestRequest).tenant.projectId, performance.now() + HELD_UP_MS);
      return requests.map(() => ({ status: 'rejected', reason: new LockedTooLong() }));
    }
    const settled = new Map<IngestRequest, PromiseSettledResult<WriteOutcome>>();
    for (const group of groups.values()) {
      const failed = (reason: unknown) => group.map(() => ({ status: 'rejected' as const, reason }));
      const outcomes = await this.flush(group, lane).catch(failed);
      group.forEach((request, at) => void settled.set(request, outcomes[at] as PromiseSettledResult<WriteOutcome>));
    }
    return requests.map((request) => settled.get(request) as PromiseSettledResult<WriteOutcome>);
  }

  /** Writes a project's requests on a connection that no other project waits for, however much is stored about the persons they change. */
  async writeApart(link: CopyLink, requests: readonly IngestRequest[]): Promise<PromiseSettledResult<WriteOutcome>[]> {
    const settled = requests.length > 1 ? await this.groupApart(link, requests) : null;
    const outcomes = settled ?? (await this.oneByOne(link, requests, 'own'));
    if (outcomes.some(({ status }) => status === 'fulfilled'))
      this.heldUp.delete((requests[0] as IngestRequest).tenant.projectId);
    return outcomes;
  }

  /** The error of a failed write for its request: if it isn't one of the module's, the data or the database is at fault. */
  failureOf(error: unknown, request: IngestRequest): unknown {
    if (error instanceof DomainError) return error;
    if (UNSTORABLE_STATE.test(codeOf(error)))
      return ingestFailure('invalid_payload', { type: request.rows.count > 0 ? 'track' : 'people' });
    return Object.assign(ingestFailure('ingest_unavailable'), { cause: error });
  }

  /** Creates the month that a write lacked; false if it failed for another reason, or the month cannot be created now. */
  async hasMadeMonth(error: unknown): Promise<boolean> {
    if (!isMonthMissing(error)) return false;
    const failure: unknown = await this.makeMonths().catch((reason: unknown) => reason);
    this.logger.warn({ err: failure }, 'this month had no partition for events; has a worker run in months?');
    return failure === undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }

  private async open(lane: number): Promise<CopyLink> {
    try {
      return await (this.connections[lane] as CopyConnection).open();
    } catch (error) {
      throw Object.assign(ingestFailure('ingest_unavailable'), { cause: error });
    }
  }

  /** Strictly metered: any irregularity fails the group. Without preliminary steps all of it is one round trip. */
  private async together(
    link: CopyLink,
    requests: readonly IngestRequest[],
    company: Company = 'shared',
  ): Promise<WriteOutcome[]> {
    const now = this.clock.now();
    const inSteps = requests.some(needsSteps);
    if (inSteps) await link.run(beginFor(company));
    const prepared = inSteps ? await this.prepare(link, requests, now) : this.plain(requests);
    const meters = [...prepared.metered.values()].map(({ tenant, amount }) =>
      this.meter.strictSql(tenant.projectId, amount, now),
    );
    const copy = prepared.rows.length > 0 ? [COPY_EVENTS, noteRowsSql(requests)] : [];
    const statements = [inSteps ? WAIT : 'begin', ...copy, ...meters, 'commit'];
    await link.run(statements.join(';'), copy.length > 0 ? prepared.rows : null);
    countWarnings(prepared);
    return prepared.outcomes;
  }

  private async apart(link: CopyLink, request: IngestRequest, company: Company = 'shared'): Promise<WriteOutcome> {
    for (let attempt = 1; ; attempt++) {
      if (link.isBroken) throw ingestFailure('ingest_unavailable');
      try {
        return await this.alone(link, request, company);
      } catch (error) {
        await this.rollback(link, error);
        if (error instanceof HeavyIdentities) throw error;
        if (codeOf(error) === LOCK_TIMEOUT && company === 'shared') throw new LockedTooLong();
        const isWorthRepeating = isRetryableConflict(error) || (await this.hasMadeMonth(error));
        if (isWorthRepeating && attempt < ATTEMPTS) continue;
        throw this.failureOf(error, request);
      }
    }
  }

  private async alone(link: CopyLink, request: IngestRequest, company: Company): Promise<WriteOutcome> {
    const now = this.clock.now();
    let crossed = false;
    await link.run(beginFor(company));
    const prepared = await this.prepare(link, [request], now, company);
    const { rows, metered, outcomes } = prepared;
    await link.run(WAIT);
    for (const { tenant, amount } of metered.values()) {
      const standing = await this.meter.consume(link, tenant, amount, now);
      if (!standing.allowed) {
        await link.run('rollback');
        return { kind: 'over_quota', standing };
      }
      crossed = standing.crossed.length > 0;
    }
    if (rows.length > 0) await link.run(`${COPY_EVENTS};${noteRowsSql([request])};commit`, rows);
    else await link.run('commit');
    countWarnings(prepared);
    if (crossed) this.meter.announce(request.tenant.projectId);
    return outcomes[0] as WriteOutcome;
  }

  private plain(requests: readonly IngestRequest[]): Prepared {
    const metered: Prepared['metered'] = new Map();
    for (const { tenant, rows } of requests) count(metered, tenant, rows.count);
    return {
      rows: requests.filter(({ rows }) => rows.count > 0).map(({ rows }) => rows.encoded()),
      metered,
      outcomes: requests.map(({ counts, rows }) => ({ kind: 'stored', counts, rows: rows.count })),
      warnings: [],
    };
  }

  private async prepare(
    link: CopyLink,
    requests: readonly IngestRequest[],
    now: Date,
    company: Company = 'shared',
  ): Promise<Prepared> {
    const warnings: Prepared['warnings'] = [];
    const { replayed, reused } = await claimRequestKeys(link, requests, now);
    for (const request of reused) warnings.push([request, 'reused_idempotency_key']);
    const fresh = requests.filter((request) => !replayed.has(request));
    const repeated = await claimInsertIds(link, fresh, now);
    const environments = byEnvironment(fresh);
    if (environments.length > 0) {
      await lockIdentities(
        link,
        environments.map(({ scope }) => scope),
      );
      for (const { scope, requests: ofScope } of environments) {
        const first = ofScope[0] as IngestRequest;
        const ignored =
          company === 'own'
            ? await changeIdentitiesInParts(link, scope, first, now)
            : await changeIdentities(link, scope, ofScope, now);
        for (const reason of ignored) warnings.push([first, reason]);
      }
    }
    const metered: Prepared['metered'] = new Map();
    const rows: Buffer[] = [];
    const stored = new Map<IngestRequest, number>();
    for (const request of fresh) {
      const seen = request.insertIds.filter((row) => repeated.has(row));
      for (const _ of seen) warnings.push([request, 'repeated_insert_id']);
      rows.push(...rowsWithout(request.rows.encoded(), request.insertIds, repeated));
      stored.set(request, request.rows.count - seen.length);
      count(metered, request.tenant, request.rows.count - seen.length);
    }
    const outcomes = requests.map((request): WriteOutcome => {
      const before = replayed.get(request);
      if (before) return { kind: 'replayed', counts: before };
      return { kind: 'stored', counts: request.counts, rows: stored.get(request) ?? 0 };
    });
    return { rows, metered, outcomes, warnings };
  }

  /** Leaves a working link outside any transaction; a broken one has rolled back by itself. */
  private async rollback(link: CopyLink, error: unknown): Promise<void> {
    if (!link.isBroken && codeOf(error) === '' && !(error instanceof HeavyIdentities)) link.break();
    if (!link.isBroken) await link.run('rollback').catch(() => link.break());
    if (link.isBroken) {
      this.logger.warn({ err: error }, 'the connection broke during an ingestion write');
      throw ingestFailure('ingest_unavailable');
    }
  }
}

const countWarnings = ({ warnings }: Prepared): void => {
  for (const [request, reason] of warnings) request.warn(reason);
};

const count = (metered: Prepared['metered'], tenant: Tenant, amount: number): void => {
  if (tenant.environment !== 'live' || amount === 0) return;
  const entry = metered.get(tenant.projectId) ?? { tenant, amount: 0 };
  entry.amount += amount;
  metered.set(tenant.projectId, entry);
};
