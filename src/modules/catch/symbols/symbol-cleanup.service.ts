import { LockMode } from '@mikro-orm/postgresql';
import type { JobPayload } from '../../../jobs/catalog.js';
import type { JobQueue } from '../../../jobs/job-queue.js';
import { type Context, systemCaller } from '../../../kernel/context.js';
import { limitLockWaits } from '../../../kernel/database/lock-timeout.js';
import { textArray } from '../../../kernel/database/text-array.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { DAY_MS, HOUR_MS } from '../../../kernel/values/durations.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { authorize } from '../../access/guard.js';
import { PLAN_LIMITS } from '../../quotas/limits.js';
import { PARTS_PREFIX } from './resumable/resumable-upload.service.js';
import { deleteExpiredAnswers } from './source-answers.sql.js';
import { SymbolArtifact } from './symbol-artifact.entity.js';
import type { SymbolArtifactService } from './symbol-artifact.service.js';

/** Uploads take minutes at most; an object without a row after this time is an orphan. */
const ORPHAN_MS = 6 * HOUR_MS;
const SWEPT_AT_ONCE = 500;
const PURGED_AT_ONCE = 50;
const RETENTION_DAYS = PLAN_LIMITS.enterprise.retentionDays;

export interface CleanupParts {
  tx: Transactions;
  objects: ObjectStore;
  jobs: JobQueue;
  artifacts: SymbolArtifactService;
}

/** Removes unneeded data: symbols of deleted releases, objects without rows, old events and profiles. */
export class SymbolCleanupService {
  constructor(private readonly parts: CleanupParts) {}

  /** Queues the purge of a deleted release's symbols, in the transaction that handles the event. */
  async releaseDeleted(ctx: Context, deleted: JobPayload<'catch.purge_release'>): Promise<void> {
    // Artifacts without a release belong to all of them.
    if (deleted.release !== '') await this.parts.jobs.enqueue(ctx, 'catch.purge_release', deleted);
  }

  /** Symbols that were uploaded after the deletion are kept, however late it is noticed. */
  async purgeRelease({ deletedAt, ...deleted }: JobPayload<'catch.purge_release'>): Promise<void> {
    const caller = systemCaller('clean-up');
    const where = deletedAt ? { ...deleted, uploadedAt: { $lte: new Date(deletedAt) } } : deleted;
    for (;;) {
      const left = await this.parts.tx.write(caller, async (ctx) => {
        const project = await authorize(ctx, 'catch.symbol.delete', deleted.projectId);
        // An upload of the same bytes spares an artifact.
        const lockMode = LockMode.PESSIMISTIC_WRITE;
        const artifacts = await ctx.em.find(SymbolArtifact, where, { limit: PURGED_AT_ONCE, lockMode });
        for (const artifact of artifacts) await this.parts.artifacts.remove(ctx, artifact, project);
        return artifacts.length;
      });
      if (left < PURGED_AT_ONCE) return;
    }
  }

  /** Removes objects without a row, and leftovers of broken uploads. Returns how many. */
  async sweepObjects(now: Date): Promise<number> {
    const before = new Date(now.getTime() - ORPHAN_MS);
    let removed = await this.parts.objects.sweepUploads(before);
    for (const prefix of ['symbols/', 'profiles/', PARTS_PREFIX]) {
      let keys: string[] = [];
      for await (const object of this.parts.objects.list(prefix)) {
        if (object.modifiedAt >= before) continue;
        keys.push(object.key);
        if (keys.length === SWEPT_AT_ONCE) {
          removed += await this.removeOrphans(keys);
          keys = [];
        }
      }
      removed += await this.removeOrphans(keys);
    }
    return removed;
  }

  /**
   * Creates the partitions of this month and the next, and drops those past every plan's retention. Fails if a long transaction, such as a
   * backup, holds the tables: incoming crashes would queue behind a statement that waits for it.
   */
  async keepPartitions(now: Date): Promise<void> {
    const oldest = new Date(now.getTime() - RETENTION_DAYS * DAY_MS);
    const partitions = await this.asCleanUp(async (ctx) => {
      await ctx.em.execute('delete from crash_event_seen where received_at < ?', [oldest]);
      await ctx.em.execute('delete from crash_profile where received_at < ?', [oldest]);
      await deleteExpiredAnswers(ctx.em, now);
      return ctx.em.execute<{ name: string }[]>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = 'crash_event'::regclass and c.relname ~ '^crash_event_\\d{4}_\\d{2}$' and c.relname < ?`,
        [`crash_event_${oldest.toISOString().slice(0, 7).replace('-', '_')}`],
      );
    });
    await this.asCleanUp(async (ctx) => {
      await limitLockWaits(ctx);
      await ctx.em.execute(
        `select crash_event_partition((date_trunc('month', ?::timestamptz at time zone 'UTC') + make_interval(months => step))::date)
           from generate_series(0, 1) step`,
        [now],
      );
    });
    for (const { name } of partitions)
      await this.asCleanUp(async (ctx) => {
        await limitLockWaits(ctx);
        await ctx.em.execute(`drop table if exists "${name}"`);
      });
  }

  private asCleanUp<T>(verb: (ctx: Context) => Promise<T>): Promise<T> {
    return this.parts.tx.write(systemCaller('clean-up'), verb);
  }

  private async removeOrphans(keys: string[]): Promise<number> {
    if (keys.length === 0) return 0;
    const list = textArray(keys);
    const owned = await this.parts.tx.read(systemCaller('clean-up'), async (ctx) => {
      const rows = await ctx.em.execute<{ path: string }[]>(
        `select storage_path as path from symbol_artifact where storage_path = any(?::text[])
         union all select storage_path from symbol_table where storage_path = any(?::text[])
         union all select storage_path from crash_profile where storage_path = any(?::text[])
         union all select storage_path from symbol_upload_part where storage_path = any(?::text[])`,
        [list, list, list, list],
      );
      return new Set(rows.map((row) => row.path));
    });
    const orphans = keys.filter((key) => !owned.has(key));
    for (const key of orphans) await this.parts.objects.delete(key);
    return orphans.length;
  }
}
