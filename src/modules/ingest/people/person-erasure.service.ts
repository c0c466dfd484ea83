import type { JobQueue } from '../../../jobs/job-queue.js';
import { type Context, systemCaller } from '../../../kernel/context.js';
import { textArray } from '../../../kernel/database/text-array.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import type { ErasedPerson, ErasureStep } from '../../../kernel/erased-ids.js';
import { newUuid } from '../../../kernel/ids.js';
import { DAY_MS } from '../../../kernel/values/durations.js';
import { type EventErasure, eraseFromEvents, newestEvent } from '../events/event-erasure.js';

/** By then the job of an erasure is through, attempts and all; without a worker nobody looks. */
const LEFT_MS = DAY_MS;
/** Ids that are looked up at once. */
const MOST_IDS = 200;
/** Turns that deleting a person always waits for: they suffice for a young project's data. */
const PROMPT_TURNS = 6;

export interface ErasureParts {
  tx: Transactions;
  jobs: JobQueue;
  step: ErasureStep;
  /**
   * Erases some of the events that other modules recorded about the person's actions until an instant, in PostgreSQL's format, and prevents
   * them from being recorded later. Returns whether there may be more.
   */
  recorded: (ctx: Context, person: ErasedPerson, until: string) => Promise<boolean>;
  /** Whether other modules store something that came with one of the ids. */
  isKnown: (ctx: Context, person: ErasedPerson) => Promise<boolean>;
  /** How much time one transaction spends on it if a slice takes less: others may wait for the rows it changes. */
  turnMs: number;
  /** How long deleting a person waits for it; a job continues with what takes longer. */
  promptMs: number;
}

interface ErasureRow {
  project_id: string;
  environment: ErasedPerson['environment'];
  distinct_ids: string[];
  progress: string | null;
  created_at: string;
}

/** Where to continue: with events, until they are null, then with other modules' data, for these ids after this place. */
interface Progress {
  events: EventErasure | null;
  first: number;
  after: string | null;
}

/** Erases the data of deleted persons, slice by slice in separate transactions, so that nobody waits for it. */
export class PersonErasureService {
  constructor(private readonly parts: ErasureParts) {}

  isKnownElsewhere(ctx: Context, person: ErasedPerson): Promise<boolean> {
    return this.parts.isKnown(ctx, person);
  }

  /**
   * Records in the deletion's transaction what must be erased, and queues a job that sees it through; most of it is done before the
   * deletion is answered, once it is committed.
   */
  async begin(ctx: Context, person: ErasedPerson): Promise<void> {
    const id = newUuid();
    const upTo = await newestEvent(ctx, person);
    const progress: Progress = { events: { from: null, upTo }, first: 0, after: null };
    // The ids are stored here until it is done, not in the job, whose row is kept for days.
    await ctx.em.execute(
      `insert into person_erasure (id, project_id, environment, distinct_ids, progress, created_at)
       values (?, ?, ?, array(select jsonb_array_elements_text(?::jsonb)), ?, ?)`,
      [id, person.projectId, person.environment, JSON.stringify(person.ids), JSON.stringify(progress), ctx.now()],
    );
    await this.parts.jobs.enqueue(ctx, 'ingest.erase_person', { erasureId: id });
    ctx.afterCommit(() => this.finishPromptly(id));
  }

  /** Queues again what no job has completed within a day: all its attempts failed, or an earlier version deleted it while there was no worker. */
  async queueLeft(ctx: Context): Promise<void> {
    const rows = await ctx.em.execute<{ id: string }[]>('select id from person_erasure where created_at < ?', [
      new Date(ctx.now().getTime() - LEFT_MS),
    ]);
    for (const { id } of rows) await this.parts.jobs.enqueue(ctx, 'ingest.erase_person', { erasureId: id });
  }

  /** Continues an erasure until it is done; finished parts stay done when it is interrupted. */
  async finish(erasureId: string, signal?: AbortSignal): Promise<void> {
    for (let isDone = false; !isDone; ) {
      signal?.throwIfAborted();
      isDone = await this.goOn(erasureId);
    }
  }

  private async finishPromptly(erasureId: string): Promise<void> {
    const ends = performance.now() + this.parts.promptMs;
    for (let turn = 0; turn < PROMPT_TURNS || performance.now() < ends; turn += 1)
      if (await this.goOn(erasureId)) return;
  }

  private goOn(erasureId: string): Promise<boolean> {
    return this.parts.tx.write(systemCaller('erasure'), async (ctx) => {
      const [row] = await ctx.em.execute<ErasureRow[]>(
        'select project_id, environment, distinct_ids, progress, created_at::text from person_erasure where id = ? for update',
        [erasureId],
      );
      if (row === undefined) return true;
      const person = { projectId: row.project_id, environment: row.environment, ids: row.distinct_ids };
      const progress = await this.turn(ctx, person, row.created_at, progressOf(row));
      if (progress === null) await ctx.em.execute('delete from person_erasure where id = ?', [erasureId]);
      else
        await ctx.em.execute('update person_erasure set progress = ? where id = ?', [
          JSON.stringify(progress),
          erasureId,
        ]);
      return progress === null;
    });
  }

  /** Continues from a place for a while, by at least one slice; returns where to continue, null when all is done. */
  private async turn(ctx: Context, person: ErasedPerson, until: string, from: Progress): Promise<Progress | null> {
    const ends = performance.now() + this.parts.turnMs;
    let { events, first, after } = from;
    do {
      if (events !== null) {
        if (events.from === null && (await this.parts.recorded(ctx, person, until))) continue;
        events = await eraseFromEvents(ctx, person, events);
        if (events === null) await eraseMerges(ctx, person);
        continue;
      }
      const ids = person.ids.slice(first, first + MOST_IDS);
      after = await this.parts.step(ctx, { ...person, ids }, after);
      if (after === null) first += MOST_IDS;
    } while (first < person.ids.length && performance.now() < ends);
    return first < person.ids.length ? { events, first, after } : null;
  }
}

/** An undone merge is between this person and another. */
async function eraseMerges(ctx: Context, { projectId, environment, ids }: ErasedPerson): Promise<void> {
  await ctx.em.execute(
    `delete from person_merge where project_id = ? and environment = ?
        and (distinct_id = any(?::text[]) or merged_ids && ?::text[])`,
    [projectId, environment, textArray(ids), textArray(ids)],
  );
}

/** Rows of earlier versions, whose events were erased with the person, hold the last two in a list. */
function progressOf({ progress }: ErasureRow): Progress {
  const stored: Progress | [number, string | null] = JSON.parse(progress ?? '[0, null]');
  return Array.isArray(stored) ? { events: null, first: stored[0], after: stored[1] } : stored;
}
