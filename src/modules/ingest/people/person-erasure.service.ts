import type { JobQueue } from '../../../jobs/job-queue.js';
import { type Context, systemCaller } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import type { ErasedPerson, ErasureStep } from '../../../kernel/erased-ids.js';
import { newUuid } from '../../../kernel/ids.js';

/** Ids that are looked for at once. */
const MOST_IDS = 200;

/** What erasing elsewhere needs from the application. */
export interface ErasureParts {
  tx: Transactions;
  jobs: JobQueue;
  /** Erases from what other modules store. */
  step: ErasureStep;
  /** Whether other modules store something that came with one of the ids. */
  isKnown: (ctx: Context, person: ErasedPerson) => Promise<boolean>;
  /** What one transaction spends on it; a job goes on with what takes longer. */
  turnMs: number;
}

interface ErasureRow {
  project_id: string;
  environment: ErasedPerson['environment'];
  distinct_ids: string[];
  progress: string | null;
}

/** Erases deleted persons from what other modules store: a little at once, the rest slice by slice in a job. */
export class PersonErasureService {
  constructor(private readonly parts: ErasureParts) {}

  isKnownElsewhere(ctx: Context, person: ErasedPerson): Promise<boolean> {
    return this.parts.isKnown(ctx, person);
  }

  /** Erases in the deletion's transaction what a turn suffices for; afterwards either all is gone or a job is stored. */
  async begin(ctx: Context, person: ErasedPerson): Promise<void> {
    const progress = await this.turn(ctx, person, null);
    if (progress === null) return;
    const id = newUuid();
    // The ids stand here until it is done, not in the job, whose row is kept for days.
    await ctx.em.execute(
      `insert into person_erasure (id, project_id, environment, distinct_ids, progress, created_at)
       values (?, ?, ?, array(select jsonb_array_elements_text(?::jsonb)), ?, ?)`,
      [id, person.projectId, person.environment, JSON.stringify(person.ids), progress, ctx.now()],
    );
    await this.parts.jobs.enqueue(ctx, 'ingest.erase_person', { erasureId: id });
  }

  /** Goes on with an erasure until it is done; what is done when it is interrupted stays done. */
  async finish(erasureId: string, signal?: AbortSignal): Promise<void> {
    const caller = systemCaller('erasure', newUuid());
    for (let isDone = false; !isDone; ) {
      signal?.throwIfAborted();
      isDone = await this.parts.tx.write(caller, (ctx) => this.goOn(ctx, erasureId));
    }
  }

  private async goOn(ctx: Context, erasureId: string): Promise<boolean> {
    const [row] = await ctx.em.execute<ErasureRow[]>(
      'select project_id, environment, distinct_ids, progress from person_erasure where id = ? for update',
      [erasureId],
    );
    if (row === undefined) return true;
    const person = { projectId: row.project_id, environment: row.environment, ids: row.distinct_ids };
    const progress = await this.turn(ctx, person, row.progress);
    if (progress === null) await ctx.em.execute('delete from person_erasure where id = ?', [erasureId]);
    else await ctx.em.execute('update person_erasure set progress = ? where id = ?', [progress, erasureId]);
    return progress === null;
  }

  /** Goes on from a place for a while; answers where to go on, null when all is done. */
  private async turn(ctx: Context, person: ErasedPerson, from: string | null): Promise<string | null> {
    const ends = performance.now() + this.parts.turnMs;
    let [first, after]: [number, string | null] = from === null ? [0, null] : JSON.parse(from);
    do {
      const ids = person.ids.slice(first, first + MOST_IDS);
      after = await this.parts.step(ctx, { ...person, ids }, after);
      if (after === null) first += MOST_IDS;
    } while (first < person.ids.length && performance.now() < ends);
    return first < person.ids.length ? JSON.stringify([first, after]) : null;
  }
}
