import { Readable } from 'node:stream';
import type { JobQueue } from '../../../jobs/job-queue.js';
import type { Context } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { newUuid } from '../../../kernel/ids.js';
import { clockSkew } from '../../../kernel/values/clock-skew.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { keyOf } from '../../access/guard.js';
import type { ProfileUpkeep } from '../profiles/profile-upkeep.js';
import { insertEvents } from '../symbols/pending-events.sql.js';
import type { CrashReader } from './reading/crash-reader.js';
import type { CrashCounts } from './reading/crash-slices.js';

/** Ingests crash events and profiles from client SDKs (docs/rest.md, Crashes). */
export class CrashIngestService {
  constructor(
    private readonly tx: Transactions,
    private readonly jobs: JobQueue,
    private readonly objects: ObjectStore,
    private readonly reader: CrashReader,
    private readonly profiles: ProfileUpkeep,
  ) {}

  /**
   * Stores one event, or up to 1000 of `{events}`, in the key's environment, whatever an event itself says; invalid events are reported one
   * by one. Times are corrected by the client's clock when it sent the request. An event that was stored before counts as accepted and changes nothing. Fails with `invalid_events`, `payload_too_large`,
   * `bodies_exhausted`.
   */
  async ingest(ctx: Context, body: Buffer, sentAt: string | null): Promise<CrashCounts> {
    const { projectId, environment } = keyOf(ctx, 'ingest');
    const skewMs = sentAt === null ? 0 : clockSkew(sentAt, ctx.now().getTime());
    return this.reader.read(projectId, body, (slices) =>
      this.tx.write(ctx, async (writing) => {
        for await (const rows of slices)
          await insertEvents(writing.em, { projectId, environment }, rows, { now: writing.now(), skewMs });
        await this.jobs.enqueue(writing, 'catch.symbolicate_events', { projectId, environment });
      }),
    );
  }

  /** Stores a profile as is; its size and format were checked before. The oldest are deleted when there are too many. */
  async storeProfile(ctx: Context, profile: Buffer): Promise<string> {
    const { projectId, environment } = keyOf(ctx, 'ingest');
    const id = newUuid();
    const storagePath = `profiles/${projectId}/${id}`;
    await this.objects.put(storagePath, Readable.from([profile]));
    await this.tx.write(ctx, async (writing) => {
      await writing.em.execute(
        `insert into crash_profile (id, project_id, environment, size_bytes, storage_path, received_at)
         values (?, ?, ?, ?, ?, ?)`,
        [id, projectId, environment, profile.length, storagePath, writing.now()],
      );
      await this.profiles.makeRoom(writing, { projectId, environment });
    });
    return id;
  }
}
