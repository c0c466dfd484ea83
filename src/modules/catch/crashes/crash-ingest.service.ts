import type { JobQueue } from '../../../jobs/job-queue.js';
import type { Context } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { isUuid, newUuid } from '../../../kernel/ids.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { keyOf } from '../../access/guard.js';
import { catchFailure } from '../catch.errors.js';
import { insertEvents } from './crash-events.sql.js';
import { type CrashReport, type RejectReason, readCrashReport } from './crash-report.js';

const MOST_EVENTS = 1_000;

export interface IngestedCrashes {
  accepted: number;
  rejected: number;
  rejectReasons: { eventId: string | null; reason: RejectReason }[];
}

/** Takes crash events and profiles of client SDKs (docs/rest.md, Crashes). */
export class CrashIngestService {
  constructor(
    private readonly tx: Transactions,
    private readonly jobs: JobQueue,
    private readonly objects: ObjectStore,
  ) {}

  /**
   * Stores one event, or up to 1000 of `{events}`, in the environment of the key, whatever an event says of its own; events
   * that cannot be read are reported one by one. An event that was stored before counts as accepted and changes nothing.
   * Fails with `invalid_events`.
   */
  async ingest(ctx: Context, body: Readonly<Record<string, unknown>> | null): Promise<IngestedCrashes> {
    const key = keyOf(ctx, 'ingest');
    if (body === null) throw catchFailure('invalid_events');
    const given = Object.hasOwn(body, 'events') ? body.events : [body];
    if (!Array.isArray(given) || given.length === 0 || given.length > MOST_EVENTS) throw catchFailure('invalid_events');
    const reports: CrashReport[] = [];
    const rejectReasons: IngestedCrashes['rejectReasons'] = [];
    for (const value of given) {
      const report = readCrashReport(value);
      if (typeof report === 'string') rejectReasons.push({ eventId: eventIdOf(value), reason: report });
      else reports.push(report);
    }
    if (reports.length > 0) {
      const { projectId, environment } = key;
      await insertEvents(ctx.em, { projectId, environment }, reports, ctx.now());
      await this.jobs.enqueue(ctx, 'catch.symbolicate_events', { projectId, environment });
    }
    return { accepted: reports.length, rejected: rejectReasons.length, rejectReasons };
  }

  /** Stores a profile as it came; its size and form were checked before. */
  async storeProfile(ctx: Context, profile: Buffer): Promise<string> {
    const key = keyOf(ctx, 'ingest');
    const id = newUuid();
    const storagePath = `profiles/${key.projectId}/${id}`;
    await this.objects.put(storagePath, onePart(profile));
    await this.tx.write(ctx, (writing) =>
      writing.em.execute(
        `insert into crash_profile (id, project_id, environment, size_bytes, storage_path, received_at)
         values (?, ?, ?, ?, ?, ?)`,
        [id, key.projectId, key.environment, profile.length, storagePath, writing.now()],
      ),
    );
    return id;
  }
}

function eventIdOf(value: unknown): string | null {
  const id = typeof value === 'object' && value !== null ? (value as { event_id?: unknown }).event_id : null;
  return isUuid(id) ? id : typeof id === 'string' ? id.slice(0, 100).toWellFormed() : null;
}

async function* onePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
