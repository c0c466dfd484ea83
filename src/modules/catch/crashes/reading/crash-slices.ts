import { DomainError } from '../../../../kernel/errors.js';
import { isUuid } from '../../../../kernel/ids.js';
import { parseJson } from '../../../../kernel/values/parse-json.js';
import { type CrashReport, type RejectReason, readCrashReport } from './crash-report.js';
import { eventsOf, type NoEvents } from './events-of.js';

const SLICE_LENGTH = 1024 * 1024;

export interface CrashCounts {
  accepted: number;
  rejectReasons: { eventId: string | null; reason: RejectReason }[];
}

export type CrashOutcome = CrashCounts | NoEvents;

/** One event in the format of the statement that stores it. */
export interface CrashRow {
  event_id: string;
  /** Null: the time of receipt. */
  occurred_at: string | null;
  platform: string;
  level: string;
  release: string | null;
  distinct_id: string | null;
  title: string;
  exception_type: string | null;
  payload: CrashReport['payload'];
  session_id: string | null;
  session_started_at: string | null;
  session_release: string | null;
}

/**
 * Parses the JSON of one event, or of up to 1000 in `{events}`, and returns the storable ones as JSON texts of arrays of {@link CrashRow},
 * of about a mebibyte each: besides the bytes, only one event and one slice are in memory. An invalid event is reported individually.
 */
export function* crashSlices(bytes: Buffer): Generator<string, CrashOutcome, void> {
  const events = eventsOf(bytes);
  if (typeof events === 'string') return events;
  let rows: string[] = [];
  let length = 0;
  const counts: CrashCounts = { accepted: 0, rejectReasons: [] };
  for (const event of events) {
    const value = parsedEvent(event);
    if (value === TOO_LARGE) return 'payload_too_large';
    const report = readCrashReport(value);
    if (typeof report === 'string') {
      counts.rejectReasons.push({ eventId: eventIdOf(value), reason: report });
      continue;
    }
    const row = JSON.stringify(rowOf(report));
    rows.push(row);
    length += row.length;
    counts.accepted++;
    if (length < SLICE_LENGTH) continue;
    yield `[${rows.join(',')}]`;
    rows = [];
    length = 0;
  }
  if (rows.length > 0) yield `[${rows.join(',')}]`;
  return counts;
}

const TOO_LARGE = Symbol('payload_too_large');

function parsedEvent(event: Buffer): unknown {
  try {
    const parsed = parseJson(event);
    return parsed.malformed ? null : parsed.value;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'payload_too_large') return TOO_LARGE;
    throw error;
  }
}

const rowOf = (report: CrashReport): CrashRow => ({
  event_id: report.eventId,
  occurred_at: report.occurredAt?.toISOString() ?? null,
  platform: report.platform,
  level: report.level,
  release: report.release,
  distinct_id: report.distinctId,
  title: report.title,
  exception_type: report.payload.exception?.type ?? null,
  payload: report.payload,
  session_id: report.session?.id ?? null,
  session_started_at: report.session?.startedAt.toISOString() ?? null,
  session_release: report.session?.release ?? null,
});

function eventIdOf(value: unknown): string | null {
  const id = typeof value === 'object' && value !== null ? (value as { event_id?: unknown }).event_id : null;
  return isUuid(id) ? id : typeof id === 'string' ? id.slice(0, 100).toWellFormed() : null;
}
