import type { EventLog } from '../../../events/event-log.js';
import type { JobQueue } from '../../../jobs/job-queue.js';
import { isEnvironment, type ProjectEnvironment } from '../../../kernel/actor.js';
import { type Caller, type Context, systemCaller } from '../../../kernel/context.js';
import { allOrEach } from '../../../kernel/database/all-or-each.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import type { Logger } from '../../../kernel/logger.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { normalizeKey } from '../../../symbols/match-key.js';
import type { CrashPayload, CrashText } from '../../../symbols/symbolication/crash-payload.js';
import { packFrames } from '../../../symbols/symbolication/frame-text.js';
import { givenUp } from '../../../symbols/symbolication/given-up.js';
import { SymbolicationFailed, Symbolicator } from '../../../symbols/symbolication/symbolicator.js';
import type { WrittenCrash } from '../../../symbols/symbolication/written-crash.js';
import { authorize } from '../../access/guard.js';
import { fireAlerts } from '../alerts/alert-conditions.js';
import { AlertRule } from '../alerts/alert-rule.entity.js';
import type { AlertingChange, IssueChange } from '../issues/issue-change.js';
import { type WantedImage, wantedImage } from '../sources/source-layouts.js';
import type { SymbolFetchService } from '../sources/symbol-fetch.service.js';
import {
  claimEvents,
  lockSymbols,
  missingSymbol,
  type PendingEvent,
  pendingEvents,
  symbolsMark,
} from '../symbols/pending-events.sql.js';
import { StoredTables, TableFinds } from '../symbols/stored-tables.js';
import { countInIssues } from './count-in-issues.js';
import type { GroupedEvent } from './issue-counts.sql.js';
import { type EventResult, storeResults } from './settled-events.sql.js';

/** Limits of one claim; the bytes are those of stored payloads, which are compressed. */
const CLAIM = { events: 500, bytes: 2 * 1024 * 1024 };
/** Events sent to the thread together. */
const TOGETHER = 100;
/** After this time the finished part of a claim is stored, and the rest waits for the next. */
const CLAIM_MS = 5_000;
/** After this time a run yields to the next project's. */
const TURN_MS = 30_000;

export interface SymbolicationParts {
  tx: Transactions;
  objects: ObjectStore;
  jobs: JobQueue;
  events: EventLog;
  logger: Logger;
  fetches: SymbolFetchService;
}

/** The environment whose events are symbolicated, and on whose behalf. */
interface Run extends ProjectEnvironment {
  readonly caller: Caller;
}

interface Done {
  event: PendingEvent;
  crash: WrittenCrash;
}

export class CrashSymbolicationService {
  private readonly symbolicator = new Symbolicator();

  constructor(private readonly parts: SymbolicationParts) {}

  /**
   * Works until no event of the environment waits, storing one claim's results while the next runs, and requests another job if that takes
   * long. Any number of workers may run it side by side.
   */
  async run(projectId: string, environment: string, signal?: AbortSignal): Promise<void> {
    if (!isEnvironment(environment)) return;
    const run: Run = { projectId, environment, caller: systemCaller('symbols') };
    const turnEnds = performance.now() + TURN_MS;
    let after: PendingEvent | null = null;
    let stored: Promise<void> = Promise.resolve();
    try {
      while (performance.now() < turnEnds) {
        signal?.throwIfAborted();
        const { mark, pending } = await this.pending(run, after);
        if (pending.length === 0) {
          if (after === null) return;
          await stored;
          // Once more from the beginning: some may have been left.
          after = null;
          continue;
        }
        const done = await this.symbolicateFor(run, pending);
        await stored;
        after = done.at(-1)?.event ?? null;
        stored = this.storeApart(run, done, mark);
        stored.catch(() => undefined);
      }
    } finally {
      await stored;
    }
    await this.parts.tx.write(run.caller, (ctx) =>
      this.parts.jobs.enqueue(ctx, 'catch.symbolicate_events', { projectId, environment }),
    );
  }

  /** Ends the thread; crashes in progress finish. */
  close(): Promise<void> {
    return this.symbolicator.close();
  }

  private pending(run: Run, after: PendingEvent | null): Promise<{ mark: string; pending: PendingEvent[] }> {
    return this.parts.tx.read(run.caller, async (ctx) => ({
      mark: await symbolsMark(ctx.em, run.projectId),
      pending: await pendingEvents(ctx.em, run, CLAIM, after),
    }));
  }

  /** As many of the first events as time allows. */
  private async symbolicateFor(run: Run, pending: readonly PendingEvent[]): Promise<Done[]> {
    const finds = new TableFinds(this.parts.tx, run.caller, run.projectId, run.environment);
    const tables = new StoredTables(finds, this.parts.objects);
    const claimEnds = performance.now() + CLAIM_MS;
    const done: Done[] = [];
    while (done.length < pending.length && performance.now() < claimEnds)
      done.push(...(await this.symbolicate(tables, pending.slice(done.length, done.length + TOGETHER), claimEnds)));
    return done;
  }

  private async symbolicate(tables: StoredTables, events: readonly PendingEvent[], until: number): Promise<Done[]> {
    const results = await this.symbolicator.symbolicate(events.map(crashTextOf), tables, until);
    return results.map((result, at) => {
      const event = events[at] as PendingEvent;
      if (!(result instanceof SymbolicationFailed)) return { event, crash: result };
      this.parts.logger.warn({ err: result, eventId: event.event_id }, 'a crash could not be symbolicated');
      return { event, crash: givenUp(crashTextOf(event), 'Symbolication of this event exceeded its limits.') };
    });
  }

  /** An event that the database rejects is stored as it came. */
  private storeApart(run: Run, done: readonly Done[], mark: string): Promise<void> {
    const store = (some: readonly Done[]) => this.parts.tx.write(run.caller, (ctx) => this.store(ctx, run, some, mark));
    return allOrEach(done, store, ({ event }, error) => {
      this.parts.logger.error({ err: error, eventId: event.event_id }, 'the symbolicated crash cannot be stored');
      return store([
        { event, crash: givenUp(crashTextOf(event), 'The symbolicated frames of this event cannot be stored.') },
      ]);
    });
  }

  private async store(
    ctx: Context,
    { projectId, environment }: Run,
    done: readonly Done[],
    mark: string,
  ): Promise<void> {
    await lockSymbols(ctx.em, projectId);
    const moved = (await symbolsMark(ctx.em, projectId)) !== mark;
    const project = await authorize(ctx, 'catch.crash.view', projectId);
    const rules = await ctx.em.find(AlertRule, { projectId, environment, isEnabled: true });
    // If symbols arrived in the meantime, the event stays in the queue and is processed again at once.
    const finished = moved ? done.filter(({ crash }) => crash.missing.length === 0) : done;
    const claimed = await claimEvents(
      ctx.em,
      projectId,
      finished.map(({ event }) => event),
    );
    const taken = finished.filter(({ event }) => claimed.has(event.event_id));
    const grouped = taken.map(({ event, crash }): GroupedEvent => {
      return { event, grouping: crash.grouping, title: titleOf(event, crash) };
    });
    const changes = await countInIssues(ctx, this.parts.events, project, environment, grouped);
    const results = taken.map(({ event, crash }, at) =>
      resultOf(event, crash, (grouped[at] as GroupedEvent).title, (changes[at] as IssueChange).issueId),
    );
    await storeResults(ctx.em, projectId, results, ctx.now());
    await this.parts.fetches.want(ctx, projectId, environment, wantedImages(finished));
    const fresh = changes.flatMap((change, at) => {
      const { symbolicated_at, received_at: since } = (taken[at] as Done).event;
      return change.ignored || symbolicated_at !== null ? [] : [{ ...change, since }];
    });
    for (const change of alerting(fresh)) await fireAlerts(ctx, this.parts.events, project, rules, change);
  }
}

/** Events stored together, oldest first, meet the conditions that count events together: the first event of an issue stands for all. */
function alerting(changes: readonly AlertingChange[]): AlertingChange[] {
  const seen = new Set<string>();
  return changes.filter((change) => {
    const isFirst = !seen.has(change.shownId);
    seen.add(change.shownId);
    return isFirst || change.created || change.regressed;
  });
}

function crashTextOf({ platform, release, payload, ...event }: PendingEvent): CrashText {
  const frames = event.packed_frames ?? packFrames(JSON.stringify(event.frames ?? []));
  const { exception_type: exceptionType, stacktrace } = event;
  return { platform, release, payload, settled: frames && { exceptionType, frames, stacktrace } };
}

/** Without the age that Breakpad appends, because symbol files are found without it. */
function storedKey(key: string): string {
  const normal = normalizeKey(key);
  return /^[0-9a-f]{33,39}$/.test(normal) ? normal.slice(0, 32) : normal;
}

/** One image for each key, from the first event that misses it. */
function wantedImages(done: readonly Done[]): WantedImage[] {
  const seen = new Set<string>();
  return done.flatMap(({ event, crash }) => {
    const missing = crash.missing.filter(({ key, kind }) => !seen.has(`${kind}:${key}`));
    if (missing.length === 0) return [];
    const { images } = JSON.parse(event.payload) as CrashPayload;
    for (const { key, kind } of missing) seen.add(`${kind}:${key}`);
    return missing.flatMap((one) => wantedImage(one, images) ?? []);
  });
}

/** The title with the type as it is read now, if it begins with the type as it was known before. */
function titleOf({ title, exception_type: before }: PendingEvent, { exceptionType }: WrittenCrash): string {
  const begins = before !== null && (title === before || title.startsWith(`${before}: `));
  if (!begins || exceptionType === null) return title;
  return `${exceptionType}${title.slice(before.length)}`.slice(0, 500).toWellFormed();
}

function resultOf(event: PendingEvent, crash: WrittenCrash, title: string, issueId: string): EventResult {
  return {
    eventId: event.event_id,
    receivedAt: event.received_at,
    status: crash.status,
    frames: crash.frames,
    stacktrace: crash.stacktrace,
    exceptionType: crash.exceptionType,
    title,
    missing: crash.missing.map(({ key, kind }) => missingSymbol(kind, key.startsWith('@') ? key : storedKey(key))),
    issueId,
  };
}
