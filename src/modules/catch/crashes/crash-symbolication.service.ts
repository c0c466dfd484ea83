import type { EventLog } from '../../../events/event-log.js';
import type { JobQueue } from '../../../jobs/job-queue.js';
import { type Environment, isEnvironment } from '../../../kernel/actor.js';
import { type Context, systemCaller } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { newUuid } from '../../../kernel/ids.js';
import type { Logger } from '../../../kernel/logger.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { normalizeKey } from '../../../symbols/match-key.js';
import { unresolved } from '../../../symbols/symbolication/crash-frame.js';
import { frameText, type WrittenCrash } from '../../../symbols/symbolication/frame-text.js';
import { SymbolicationFailed, Symbolicator } from '../../../symbols/symbolication/symbolicator.js';
import { authorize } from '../../access/guard.js';
import { fireAlerts } from '../alerts/alert-conditions.js';
import { AlertRule } from '../alerts/alert-rule.entity.js';
import { type WantedImage, wantedImage } from '../sources/source-layouts.js';
import type { SymbolFetchService } from '../sources/symbol-fetch.service.js';
import { StoredTables, TableFinds } from '../symbols/stored-tables.js';
import { countInIssues, type IssueChange } from './count-in-issues.js';
import { claimEvents, lockSymbols, type PendingEvent, pendingEvents, symbolsMark } from './crash-events.sql.js';
import { type EventResult, storeResults } from './crash-results.sql.js';
import { settledStatus } from './event-status.js';
import { groupCrash } from './fingerprint.js';
import type { GroupedEvent } from './issue-counts.sql.js';
import { crashInput } from './reading/crash-report.js';
import { type ReadFrames, SharedFrames } from './shared-frames.js';

/** What a claim takes at most; the bytes are those of stored payloads, which are compressed. */
const CLAIM = { events: 500, bytes: 2 * 1024 * 1024 };
/** Events that go to the thread together. */
const TOGETHER = 100;
/** After this time what is done of a claim is stored, and the rest waits for the next. */
const CLAIM_MS = 5_000;
/** After this time a run lets the next project's have a turn. */
const TURN_MS = 30_000;

/** What symbolication needs from the application. */
export interface SymbolicationParts {
  tx: Transactions;
  objects: ObjectStore;
  jobs: JobQueue;
  events: EventLog;
  logger: Logger;
  fetches: SymbolFetchService;
}

interface Done {
  event: PendingEvent;
  crash: Omit<WrittenCrash, 'frames'> & ReadFrames;
}

/** Gives waiting crash events their names back and puts them into issues. */
export class CrashSymbolicationService {
  private readonly symbolicator = new Symbolicator();

  constructor(private readonly parts: SymbolicationParts) {}

  /**
   * Works until no event of the environment waits, storing what is done of a claim at once, and asks for another job when
   * that takes long. Any number of workers may run it beside each other.
   */
  async run(projectId: string, environment: string, signal?: AbortSignal): Promise<void> {
    if (!isEnvironment(environment)) return;
    const caller = systemCaller('symbols', newUuid());
    const turnEnds = performance.now() + TURN_MS;
    while (performance.now() < turnEnds) {
      signal?.throwIfAborted();
      const { mark, pending } = await this.parts.tx.read(caller, async (ctx) => ({
        mark: await symbolsMark(ctx.em, projectId),
        pending: await pendingEvents(ctx.em, projectId, environment, CLAIM),
      }));
      if (pending.length === 0) return;
      const finds = new TableFinds(this.parts.tx, caller, projectId, environment);
      const tables = new StoredTables(finds, this.parts.objects);
      const claimEnds = performance.now() + CLAIM_MS;
      const shared = new SharedFrames();
      const done: Done[] = [];
      while (done.length < pending.length && performance.now() < claimEnds)
        done.push(...(await this.symbolicate(tables, shared, pending.slice(done.length, done.length + TOGETHER))));
      await this.parts.tx.write(caller, (ctx) => this.store(ctx, projectId, environment, done, mark));
    }
    await this.parts.tx.write(caller, (ctx) =>
      this.parts.jobs.enqueue(ctx, 'catch.symbolicate_events', { projectId, environment }),
    );
  }

  /** Ends the thread; crashes under way finish. */
  close(): Promise<void> {
    return this.symbolicator.close();
  }

  private async symbolicate(
    tables: StoredTables,
    shared: SharedFrames,
    events: readonly PendingEvent[],
  ): Promise<Done[]> {
    const inputs = events.map(({ platform, release, payload }) => crashInput(platform, release, payload));
    const results = await this.symbolicator.symbolicate(inputs, tables);
    return events.map((event, at) => {
      const result = results[at];
      if (result !== undefined && !(result instanceof SymbolicationFailed))
        return { event, crash: { ...result, ...shared.read(result.frames) } };
      this.parts.logger.warn({ err: result, eventId: event.event_id }, 'a crash could not be symbolicated');
      const { exception, frames } = event.payload;
      const reason = 'Symbolication of this event went over its limits.';
      const failed = frames.map((frame, index) => unresolved(frame, index, 'malformed', reason));
      return {
        event,
        crash: {
          ...shared.read(frameText(failed, frames)),
          exceptionType: exception?.type ?? null,
          stacktrace: null,
          missing: [],
        },
      };
    });
  }

  private async store(
    ctx: Context,
    projectId: string,
    environment: Environment,
    done: Done[],
    mark: string,
  ): Promise<void> {
    await lockSymbols(ctx.em, projectId);
    const moved = (await symbolsMark(ctx.em, projectId)) !== mark;
    const project = await authorize(ctx, 'catch.crash.view', projectId);
    const rules = await ctx.em.find(AlertRule, { projectId, environment });
    // Where symbols arrived meanwhile, the event goes on waiting and is done again at once.
    const finished = moved ? done.filter(({ crash }) => crash.missing.length === 0) : done;
    const claimed = await claimEvents(
      ctx.em,
      projectId,
      finished.map(({ event }) => event),
    );
    const taken = finished.filter(({ event }) => claimed.has(event.event_id));
    const grouped = taken.map(({ event, crash }): GroupedEvent => {
      return { event, grouping: groupCrash(crash, event.payload), title: titleOf(event, crash) };
    });
    const changes = await countInIssues(ctx, this.parts.events, project, environment, grouped);
    const results = taken.map(({ event, crash }, at) =>
      resultOf(event, crash, (grouped[at] as GroupedEvent).title, (changes[at] as IssueChange).issueId),
    );
    await storeResults(ctx.em, projectId, results, ctx.now());
    await this.parts.fetches.want(ctx, projectId, environment, finished.flatMap(wantedImages));
    const fresh = changes.filter((change, at) => !change.ignored && taken[at]?.event.symbolicated_at === null);
    for (const change of alerting(fresh)) await fireAlerts(ctx, this.parts.events, project, rules, change);
  }
}

/** Events that are stored together meet the conditions that count events together: the first of an issue stands for all. */
function alerting(changes: readonly IssueChange[]): IssueChange[] {
  const seen = new Set<string>();
  return changes.filter((change) => {
    const isFirst = !seen.has(change.shownId);
    seen.add(change.shownId);
    return isFirst || change.created || change.regressed;
  });
}

/** Without the age that Breakpad appends, because symbol files are found without. */
function storedKey(key: string): string {
  const normal = normalizeKey(key);
  return /^[0-9a-f]{33,39}$/.test(normal) ? normal.slice(0, 32) : normal;
}

function wantedImages({ event, crash }: Done): WantedImage[] {
  return crash.missing.flatMap((missing) => wantedImage(missing, event.payload.images) ?? []);
}

function titleOf(event: PendingEvent, crash: Done['crash']): string {
  const { exception } = event.payload;
  if (exception?.type == null || crash.exceptionType === null) return event.title;
  return event.title
    .replace(exception.type, () => crash.exceptionType ?? '')
    .slice(0, 500)
    .toWellFormed();
}

function resultOf(event: PendingEvent, crash: Done['crash'], title: string, issueId: string): EventResult {
  return {
    eventId: event.event_id,
    receivedAt: event.received_at,
    status: settledStatus(crash.frames, event.payload.rawStacktrace),
    frames: crash.text,
    stacktrace: crash.stacktrace,
    exceptionType: crash.exceptionType,
    title,
    missing: crash.missing.map(({ key, kind }) => `${kind}:${key.startsWith('@') ? key : storedKey(key)}`),
    issueId,
  };
}
