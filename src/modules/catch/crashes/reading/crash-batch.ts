import { DomainError } from '../../../../kernel/errors.js';
import { isUuid } from '../../../../kernel/ids.js';
import { objectOf, parseJson } from '../../../../kernel/values/parse-json.js';
import { type CrashReport, type RejectReason, readCrashReport } from './crash-report.js';

const MOST_EVENTS = 1_000;
const SLICE_LENGTH = 1024 * 1024;

/** A body of crash events, read: its events as rows for the database, and why others are not among them. */
export interface CrashBatch {
  /** JSON texts of arrays of {@link CrashRow}, of a mebibyte or little more each: a statement holds its text several times. */
  slices: string[];
  accepted: number;
  rejectReasons: { eventId: string | null; reason: RejectReason }[];
}

/** What a body of crash events comes to: events, nothing of the kind, or more values than a body may have. */
export type CrashReading = CrashBatch | 'invalid_events' | 'payload_too_large';

/** One event as the statement that stores it takes it. */
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
}

/** Reads the JSON of one event, or of up to 1000 in `{events}`; an event that cannot be read is told apart. */
export function readCrashBatch(bytes: Uint8Array): CrashReading {
  try {
    return batchOf(bytes);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'payload_too_large') return 'payload_too_large';
    throw error;
  }
}

function batchOf(bytes: Uint8Array): CrashReading {
  const body = objectOf(parseJson(bytes));
  if (body === null) return 'invalid_events';
  const given = Object.hasOwn(body, 'events') ? body.events : [body];
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_EVENTS) return 'invalid_events';
  const slices: string[] = [];
  let rows: string[] = [];
  let length = 0;
  let accepted = 0;
  const rejectReasons: CrashBatch['rejectReasons'] = [];
  for (const [place, value] of given.entries()) {
    // What was read can go before the rest is.
    given[place] = null;
    const report = readCrashReport(value);
    if (typeof report === 'string') {
      rejectReasons.push({ eventId: eventIdOf(value), reason: report });
      continue;
    }
    const row = JSON.stringify(rowOf(report));
    rows.push(row);
    length += row.length;
    accepted++;
    if (length < SLICE_LENGTH) continue;
    slices.push(`[${rows.join(',')}]`);
    rows = [];
    length = 0;
  }
  if (rows.length > 0) slices.push(`[${rows.join(',')}]`);
  return { slices, accepted, rejectReasons };
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
});

function eventIdOf(value: unknown): string | null {
  const id = typeof value === 'object' && value !== null ? (value as { event_id?: unknown }).event_id : null;
  return isUuid(id) ? id : typeof id === 'string' ? id.slice(0, 100).toWellFormed() : null;
}
