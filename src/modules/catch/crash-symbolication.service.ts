import type { EventLog } from '../../events/event-log.js';
import { type Environment, isEnvironment } from '../../kernel/actor.js';
import { type Caller, type Context, systemCaller } from '../../kernel/context.js';
import { newUuid } from '../../kernel/ids.js';
import type { Logger } from '../../kernel/logger.js';
import type { Transactions } from '../../kernel/transactions.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { authorize } from '../access/guard.js';
import { fireAlerts } from './alert-conditions.js';
import { AlertRule } from './alert-rule.entity.js';
import {
  claimEvent,
  type EventResult,
  lockSymbols,
  type PendingEvent,
  pendingEvents,
  storeResult,
  symbolsMark,
} from './crash-events.sql.js';
import { countInIssue } from './crash-issues.js';
import { crashInput } from './crash-report.js';
import { groupCrash } from './fingerprint.js';
import { normalizeKey } from './match-key.js';
import { StoredTables } from './stored-tables.js';
import { type SymbolicatedCrash, unresolved } from './symbolication/crash-frame.js';
import { SymbolicationFailed, Symbolicator } from './symbolication/symbolicator.js';

const BATCH = 20;

/** What symbolication needs from the application. */
export interface SymbolicationParts {
  tx: Transactions;
  objects: ObjectStore;
  events: EventLog;
  logger: Logger;
}

interface Done {
  event: PendingEvent;
  crash: SymbolicatedCrash;
}

/** Gives waiting crash events their names back and puts them into issues. */
export class CrashSymbolicationService {
  private readonly symbolicator = new Symbolicator();

  constructor(private readonly parts: SymbolicationParts) {}

  /** Works until no event of the environment waits. Any number of workers may run it beside each other. */
  async run(projectId: string, environment: string, signal?: AbortSignal): Promise<void> {
    if (!isEnvironment(environment)) return;
    const caller = systemCaller('symbols', newUuid());
    for (;;) {
      signal?.throwIfAborted();
      const { mark, pending } = await this.parts.tx.read(caller, async (ctx) => ({
        mark: await symbolsMark(ctx.em, projectId),
        pending: await pendingEvents(ctx.em, projectId, environment, BATCH),
      }));
      if (pending.length === 0) return;
      const done: Done[] = [];
      for (const event of pending)
        done.push({ event, crash: await this.symbolicate(caller, projectId, environment, event) });
      await this.parts.tx.write(caller, (ctx) => this.store(ctx, projectId, environment, done, mark));
    }
  }

  /** Ends the thread; crashes under way finish. */
  close(): Promise<void> {
    return this.symbolicator.close();
  }

  private async symbolicate(
    caller: Caller,
    projectId: string,
    environment: Environment,
    event: PendingEvent,
  ): Promise<SymbolicatedCrash> {
    const { release, platform, payload } = event;
    const input = crashInput(platform, release, payload);
    const tables = new StoredTables(this.parts.tx, this.parts.objects, caller, { projectId, environment, release });
    try {
      return await this.symbolicator.symbolicate(input, tables);
    } catch (error) {
      if (!(error instanceof SymbolicationFailed)) throw error;
      this.parts.logger.warn({ err: error, eventId: event.event_id }, 'a crash could not be symbolicated');
      const reason = 'Symbolication of this event went over its limits.';
      const frames = payload.frames.map((frame, index) => unresolved(frame, index, 'malformed', reason));
      return { exceptionType: input.exceptionType, frames, stacktrace: null, missing: [] };
    }
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
    for (const { event, crash } of done) {
      // Symbols arrived meanwhile: the event goes on waiting and is done again at once.
      if (moved && crash.missing.length > 0) continue;
      if (!(await claimEvent(ctx.em, projectId, event))) continue;
      const grouping = groupCrash(crash, event.payload);
      const title = titleOf(event, crash);
      const change = await countInIssue(ctx, this.parts.events, project, environment, event, grouping, title);
      await storeResult(ctx.em, projectId, event, resultOf(crash, title, change.issueId), ctx.now());
      if (event.symbolicated_at === null) await fireAlerts(ctx, this.parts.events, project, rules, change);
    }
  }
}

function titleOf(event: PendingEvent, crash: SymbolicatedCrash): string {
  const { exception } = event.payload;
  if (exception?.type == null || crash.exceptionType === null) return event.title;
  return event.title
    .replace(exception.type, () => crash.exceptionType ?? '')
    .slice(0, 500)
    .toWellFormed();
}

function resultOf(crash: SymbolicatedCrash, title: string, issueId: string): EventResult {
  const symbolicated = crash.frames.filter((frame) => frame.status === 'symbolicated').length;
  const status =
    symbolicated === crash.frames.length ? 'symbolicated' : symbolicated > 0 ? 'partial' : 'unsymbolicated';
  return {
    status,
    frames: crash.frames,
    stacktrace: crash.stacktrace,
    exceptionType: crash.exceptionType,
    title,
    missing: crash.missing.map(({ key, kind }) => `${kind}:${key.startsWith('@') ? key : normalizeKey(key)}`),
    issueId,
  };
}
