import type { JobQueue } from '../../../jobs/job-queue.js';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import { type Context, systemCaller } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import type { Logger } from '../../../kernel/logger.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { removeObjects } from '../../../storage/objects/remove-objects.js';
import { deleteOldProfiles } from './old-profiles.sql.js';

/** Sending a profile waits for at most this many deletions; earlier versions kept any number, which a job deletes. */
const DELETED_AT_ONCE = { request: 5, job: 100 };

export class ProfileUpkeep {
  constructor(
    private readonly tx: Transactions,
    private readonly jobs: JobQueue,
    private readonly objects: ObjectStore,
    private readonly logger: Logger,
  ) {}

  /** Makes room after a profile was stored, in its transaction; more than a few deletions are left to a job. */
  async makeRoom(ctx: Context, place: ProjectEnvironment): Promise<void> {
    const deleted = await this.delete(ctx, place, DELETED_AT_ONCE.request);
    if (deleted === DELETED_AT_ONCE.request) await this.jobs.enqueue(ctx, 'catch.delete_old_profiles', { ...place });
  }

  /** Deletes all excess profiles, slice by slice; finished slices stay done when it is interrupted. */
  async deleteOld(place: ProjectEnvironment, signal?: AbortSignal): Promise<void> {
    for (let deleted = DELETED_AT_ONCE.job; deleted === DELETED_AT_ONCE.job; ) {
      signal?.throwIfAborted();
      deleted = await this.tx.write(systemCaller('clean-up'), (ctx) => this.delete(ctx, place, DELETED_AT_ONCE.job));
    }
  }

  private async delete(ctx: Context, place: ProjectEnvironment, most: number): Promise<number> {
    const gone = await deleteOldProfiles(ctx.em, place, most);
    ctx.afterCommit(() => removeObjects(this.objects, gone, this.logger));
    return gone.length;
  }
}
