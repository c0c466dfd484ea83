import type { EntityManager } from '@mikro-orm/postgresql';
import { executeBound } from '../../../kernel/database/bound-statement.js';
import { storableJson } from '../../../kernel/text.js';
import type { SettledStatus } from '../../../symbols/symbolication/written-crash.js';

export interface EventResult {
  eventId: string;
  receivedAt: string;
  status: SettledStatus;
  /** Compressed JSON text of `StoredFrame`s; null if there are none. */
  frames: Uint8Array | null;
  stacktrace: string | null;
  exceptionType: string | null;
  title: string;
  /** `kind:key` of symbols that were missing. */
  missing: string[];
  issueId: string;
}

/** Approximate characters of JSON and bytes of frames that one statement stores: PostgreSQL holds them in memory. */
const SLICE_LENGTH = 1024 * 1024;
/** How JSON escapes characters that PostgreSQL's text can't hold; names come from symbol files. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Frames are parts of one value, which may belong to several events. */
const STORE = `update crash_event c set status = r.status, frames = null, packed_frames = substring($4::bytea from r."at" for r.length),
    stacktrace = r.stacktrace, exception_type = r."exceptionType", title = r.title, missing = r.missing, issue_id = r."issueId",
    symbolicated_at = $1
   from jsonb_to_recordset($2::jsonb) as r("eventId" uuid, "receivedAt" timestamptz, status text, stacktrace text, "exceptionType" text,
     title text, missing text[], "issueId" text, "at" int, length int)
  where c.project_id = $3 and c.event_id = r."eventId" and c.received_at = r."receivedAt"`;

/** Stores the results of symbolicating claimed events. Frames shared by several are sent once. */
export async function storeResults(
  em: EntityManager,
  projectId: string,
  results: readonly EventResult[],
  now: Date,
): Promise<void> {
  for (const { rows, frames } of slicesOf(results)) await executeBound(em, STORE, [now, rows, projectId, frames]);
}

function storable(json: string): string {
  return UNSTORABLE.test(json) ? JSON.stringify(storableJson(JSON.parse(json))) : json;
}

/** JSON text of an array, and the frames that its elements refer to. */
function* slicesOf(results: readonly EventResult[]): Generator<{ rows: string; frames: Buffer }> {
  for (let from = 0, to = 0; from < results.length; from = to) {
    const rows: string[] = [];
    const places = new Map<string, number>();
    const parts: Uint8Array[] = [];
    let [length, bytes] = [0, 0];
    for (; to < results.length && length + bytes < SLICE_LENGTH; to += 1) {
      const { frames, ...result } = results[to] as EventResult;
      const name = frames && Buffer.from(frames.buffer, frames.byteOffset, frames.length).toString('latin1');
      if (frames && name !== null && !places.has(name)) {
        places.set(name, bytes + 1);
        parts.push(frames);
        bytes += frames.length;
      }
      const place = name === null ? {} : { at: places.get(name), length: name.length };
      const row = storable(JSON.stringify({ ...result, ...place }));
      rows.push(row);
      length += row.length;
    }
    yield { rows: `[${rows.join(',')}]`, frames: Buffer.concat(parts) };
  }
}
