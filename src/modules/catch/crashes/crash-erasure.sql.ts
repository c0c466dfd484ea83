import type { Context } from '../../../kernel/context.js';
import { textArray } from '../../../kernel/database/text-array.js';
import { ErasedIds, type ErasedPerson } from '../../../kernel/erased-ids.js';
import { packFrames, unpackFrames } from '../../../symbols/symbolication/frame-text.js';
import { lockSymbols } from '../symbols/pending-events.sql.js';
import { type FramesOfEvent, storedFrames } from './event-status.js';
import type { StoredPayload } from './reading/crash-report.js';

/** What one slice reads: events, and bytes of their payloads as stored, which can be a hundred times larger in memory. */
const SLICE = { events: 100, bytes: 512 * 1024 };
/** Approximate characters of JSON that one statement stores. */
const STORED_LENGTH = 1024 * 1024;

interface StoredEvent extends FramesOfEvent {
  event_id: string;
  /** In PostgreSQL's format. */
  received_at: string;
  issue_id: string | null;
  distinct_id: string | null;
  title: string;
  release: string | null;
  exception_type: string | null;
  stacktrace: string | null;
  missing: string[];
  payload: StoredPayload;
}

interface StoredIssue {
  id: string;
  title: string;
  culprit: string;
  first_release: string | null;
  last_release: string | null;
}

const STORE = `update crash_event c set distinct_id = r.distinct_id, title = r.title, release = r.release,
    exception_type = r.exception_type, stacktrace = r.stacktrace, frames = null, packed_frames = decode(r.packed, 'base64'),
    missing = r.missing, payload = r.payload
   from jsonb_to_recordset(?::jsonb) as r(event_id uuid, received_at timestamptz, distinct_id text, title text, release text,
     exception_type text, stacktrace text, packed text, missing text[], payload jsonb)
  where c.project_id = ? and c.event_id = r.event_id and c.received_at = r.received_at`;

/**
 * Removes a person from the crash events of an environment and from their issues: the person's own events stay without the id, tags, extra
 * and breadcrumbs; in all others the id is replaced. Their sessions no longer count as crashed. An {@link ErasureStep}.
 */
export async function eraseFromCrashes(
  ctx: Context,
  person: ErasedPerson,
  after: string | null,
): Promise<string | null> {
  const ids = new ErasedIds(person.ids);
  // Before any row: whoever counts the symbols that events miss takes it after theirs.
  await lockSymbols(ctx.em, person.projectId);
  if (after === null)
    await ctx.em.execute(
      'delete from crashed_session where project_id = ? and environment = ? and distinct_id = any(?::text[])',
      [person.projectId, person.environment, textArray(person.ids)],
    );
  const [afterTime, afterId] = after?.split(' / ') ?? [null, null];
  const place = [person.projectId, person.environment];
  const beyond = [afterTime, afterTime, afterId];
  const [last] = await ctx.em.execute<{ received_at: string; event_id: string }[]>(
    `select received_at::text, event_id from (
       select received_at, event_id, sum(pg_column_size(payload)) over earlier as bytes, row_number() over earlier as place from (
         select received_at, event_id, payload from crash_event
          where project_id = ? and environment = ? and (?::timestamptz is null or (received_at, event_id) > (?::timestamptz, ?::uuid))
          order by received_at, event_id limit ?) next
       window earlier as (order by received_at, event_id rows unbounded preceding)
     ) slice where place = 1 or bytes <= ? order by place desc limit 1`,
    [...place, ...beyond, SLICE.events, SLICE.bytes],
  );
  const upTo = last ? [last.received_at, last.received_at, last.event_id] : [null, null, null];
  const slice = `from crash_event
      where project_id = ? and environment = ? and (?::timestamptz is null or (received_at, event_id) > (?::timestamptz, ?::uuid))
        and (?::timestamptz is null or (received_at, event_id) <= (?::timestamptz, ?::uuid))`;
  const packed = await ctx.em.execute<{ event_ids: string[]; frames: Buffer }[]>(
    `select array_agg(event_id::text) as event_ids, packed_frames as frames ${slice} and packed_frames is not null group by packed_frames`,
    [...place, ...beyond, ...upTo],
  );
  const named = packed.flatMap(({ event_ids, frames }) => (ids.mayBeIn(unpackFrames(frames)) ? event_ids : []));
  const found = await ctx.em.execute<StoredEvent[]>(
    `select event_id, received_at::text, issue_id, distinct_id, title, release, exception_type, stacktrace, frames,
            packed_frames as "packedFrames", to_jsonb(missing) as missing, payload
       ${slice}
        and (distinct_id = any(?::text[]) or event_id = any(?::uuid[])
          or jsonb_build_array(title, release, exception_type, stacktrace, frames, missing, payload)::text like any(?::text[]))
        for update`,
    [...place, ...beyond, ...upTo, textArray(person.ids), textArray(named), textArray(ids.patterns())],
  );
  await storeEvents(
    ctx,
    person.projectId,
    found.map((event) => withoutPerson(event, ids)),
  );
  const own = found.filter((event) => ids.has(event.distinct_id)).flatMap((event) => event.issue_id ?? []);
  await eraseFromIssues(ctx, person, ids, own);
  return last ? `${last.received_at} / ${last.event_id}` : null;
}

export async function crashesCameWith(ctx: Context, { projectId, environment, ids }: ErasedPerson): Promise<boolean> {
  const found = await ctx.em.execute<object[]>(
    'select from crash_event where project_id = ? and environment = ? and distinct_id = any(?::text[]) limit 1',
    [projectId, environment, textArray(ids)],
  );
  return found.length > 0;
}

function withoutPerson(event: StoredEvent, ids: ErasedIds): StoredEvent {
  const isOwn = ids.has(event.distinct_id);
  const { tags, extra, breadcrumbs, ...reported } = event.payload;
  const loose = isOwn ? { tags: {}, extra: {}, breadcrumbs: [] } : { tags, extra, breadcrumbs };
  const { title, release, exception_type, stacktrace, missing } = event;
  const frames = packFrames(JSON.stringify(ids.json(storedFrames(event), isOwn)));
  const texts = ids.json({ title, release, exception_type, stacktrace, missing }, isOwn) as Partial<StoredEvent>;
  const payload = ids.json({ ...reported, ...loose }, isOwn) as StoredPayload;
  return {
    ...event,
    ...texts,
    frames: null,
    packedFrames: frames,
    payload,
    distinct_id: isOwn ? null : event.distinct_id,
  };
}

async function storeEvents(ctx: Context, projectId: string, events: readonly StoredEvent[]): Promise<void> {
  for (let from = 0; from < events.length; ) {
    const rows: string[] = [];
    for (let length = 0; from < events.length && length < STORED_LENGTH; from += 1) {
      const row = JSON.stringify(asRow(events[from] as StoredEvent));
      rows.push(row);
      length += row.length;
    }
    await ctx.em.execute(STORE, [`[${rows.join(',')}]`, projectId]);
  }
}

function asRow({ packedFrames, ...event }: StoredEvent): object {
  return { ...event, packed: packedFrames && Buffer.from(packedFrames).toString('base64') };
}

/** Removes ids from the issues of the person's own events, and from all others that contain one. */
async function eraseFromIssues(
  ctx: Context,
  person: ErasedPerson,
  ids: ErasedIds,
  own: readonly string[],
): Promise<void> {
  const found = await ctx.em.execute<StoredIssue[]>(
    `select id, title, culprit, first_release, last_release from crash_issue
      where project_id = ? and environment = ? and (id = any(?::text[])
        or jsonb_build_array(title, culprit, first_release, last_release)::text like any(?::text[])) order by id for update`,
    [person.projectId, person.environment, textArray(own), textArray(ids.patterns())],
  );
  if (found.length === 0) return;
  const isOwn = new Set(own);
  const issues = found.map((issue) => ({
    ...(ids.json({ ...issue, id: null }, isOwn.has(issue.id)) as StoredIssue),
    id: issue.id,
  }));
  await ctx.em.execute(
    `update crash_issue i set title = r.title, culprit = r.culprit, first_release = r.first_release, last_release = r.last_release
      from jsonb_to_recordset(?::jsonb) as r(id text, title text, culprit text, first_release text, last_release text)
     where i.id = r.id`,
    [JSON.stringify(issues)],
  );
}
