import type { EntityManager } from '@mikro-orm/postgresql';
import { executeBound } from '../../../kernel/database/bound-statement.js';
import { storableJson } from '../../../kernel/text.js';
import type { SettledStatus } from '../../../symbols/symbolication/written-crash.js';

/** What symbolication made of an event. */
export interface EventResult {
  eventId: string;
  receivedAt: string;
  status: SettledStatus;
  /** JSON text of `StoredFrame`s. */
  frames: string;
  stacktrace: string | null;
  exceptionType: string | null;
  title: string;
  /** `kind:key` of symbols that were not there. */
  missing: string[];
  issueId: string;
}

/** Characters of JSON that one statement stores, or little more: PostgreSQL holds them in memory. */
const SLICE_LENGTH = 1024 * 1024;
/** How JSON writes what PostgreSQL's text cannot hold; names come from symbol files. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Where an event has no frames of its own they are another's, whose compressed bytes are copied. */
const STORE = `update crash_event c set status = r.status, frames = coalesce(r.frames, r.shared), stacktrace = r.stacktrace,
    exception_type = r."exceptionType", title = r.title, missing = r.missing, issue_id = r."issueId", symbolicated_at = $1
   from (
     select g.*, o.frames as shared
       from jsonb_to_recordset($2::jsonb) as g("eventId" uuid, "receivedAt" timestamptz, status text, frames jsonb,
              stacktrace text, "exceptionType" text, title text, missing text[], "issueId" text, "ofEventId" uuid,
              "ofReceivedAt" timestamptz)
       left join crash_event o on o.project_id = $3 and o.event_id = g."ofEventId" and o.received_at = g."ofReceivedAt"
   ) r
  where c.project_id = $3 and c.event_id = r."eventId" and c.received_at = r."receivedAt"`;

/**
 * Stores what symbolication made of claimed events. Frames that several have are sent and compressed once: they are most of what an event
 * is to PostgreSQL.
 */
export async function storeResults(
  em: EntityManager,
  projectId: string,
  results: readonly EventResult[],
  now: Date,
): Promise<void> {
  const first = new Map<string, EventResult>();
  for (const result of results) if (!first.has(result.frames)) first.set(result.frames, result);
  const [own, shared]: [string[], string[]] = [[], []];
  for (const { frames, ...result } of results) {
    const of = first.get(frames) as EventResult;
    const isFirst = of.eventId === result.eventId;
    const place = isFirst ? {} : { ofEventId: of.eventId, ofReceivedAt: of.receivedAt };
    const fields = storable(JSON.stringify({ ...result, ...place }));
    if (isFirst) own.push(`${fields.slice(0, -1)},"frames":${storable(frames)}}`);
    else shared.push(fields);
  }
  for (const rows of [own, shared])
    for (const slice of slicesOf(rows)) await executeBound(em, STORE, [now, slice, projectId]);
}

function storable(json: string): string {
  return UNSTORABLE.test(json) ? JSON.stringify(storableJson(JSON.parse(json))) : json;
}

/** JSON texts of arrays. */
function* slicesOf(rows: readonly string[]): Generator<string> {
  for (let from = 0, to = 0; from < rows.length; from = to) {
    for (let length = 0; to < rows.length && length < SLICE_LENGTH; to += 1) length += (rows[to] as string).length;
    yield `[${rows.slice(from, to).join(',')}]`;
  }
}
