import type { EntityManager } from '@mikro-orm/postgresql';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import { executeBound } from '../../../kernel/database/bound-statement.js';
import { textArray } from '../../../kernel/database/text-array.js';
import { keyText } from '../../../kernel/text.js';
import { HOUR_MS } from '../../../kernel/values/durations.js';
import type { SymbolKind } from '../../../symbols/symbol-kinds.js';
import type { StoredFrame } from '../../../symbols/symbolication/frame-text.js';
import type { SymbolArtifact } from './symbol-artifact.entity.js';

/** Events up to this age are symbolicated again automatically when symbols arrive (docs/rest.md, Symbols); by time of receipt. */
const REPROCESSED_HOURS = 24;
/** Files are usually read within a second; this many events are compared for each one that has to wait. */
const MOST_SINCE_UPLOAD = 1_000;
/** Kinds whose files are found by an event's release if it names no id. */
const FOUND_BY_RELEASE: ReadonlySet<SymbolKind> = new Set(['android_mapping', 'flutter_symbols']);

export interface PendingEvent {
  event_id: string;
  /** Changes whenever the row does. */
  version: string;
  /** In PostgreSQL's format. */
  received_at: string;
  occurred_at: string;
  platform: string;
  level: string;
  release: string | null;
  title: string;
  /** JSON text of the input for symbolication. */
  payload: string;
  issue_id: string | null;
  symbolicated_at: string | null;
  /** The result of the last time: the frames in either of their two formats. */
  exception_type: string | null;
  stacktrace: string | null;
  frames: StoredFrame[] | null;
  packed_frames: Uint8Array | null;
}

/** How an event names symbols it misses: by their key as stored, or by `@` and the release. */
export const missingSymbol = (kind: string, key: string): string => keyText(`${kind}:${key}`);

/** Changes to a project's symbols and events run one after the other, so that no event misses symbols arriving at the same time. */
export async function lockSymbols(em: EntityManager, projectId: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 1))', [`catch ${projectId}`]);
}

/** A time of the client's clock, which is $5 milliseconds behind ours; as it is if the correction leads out of the calendar. */
const corrected = (time: string): string =>
  `case when extract(epoch from ${time}) * 1000 + $5::bigint between -62135596800000 and 253402300799999
     then ${time} + $5::bigint * interval '1 millisecond' else ${time} end`;

/** No crash is older: the clock of its device was never set, and the time of receipt ($4) is closer. */
const sinceClocks = (time: string): string =>
  `case when ${time} >= '2000-01-01Z' then ${time} else $4::timestamptz end`;

/** Stores events that weren't stored before; `rows` is JSON text of `CrashRow`s. Returns how many were new. */
export async function insertEvents(
  em: EntityManager,
  project: ProjectEnvironment,
  rows: string,
  { now, skewMs }: { now: Date; skewMs: number },
): Promise<number> {
  const inserted = await executeBound(
    em,
    `with given as (
       select distinct on (event_id) * from jsonb_to_recordset($1::jsonb) as g(event_id uuid,
         occurred_at timestamptz, platform text, level text, release text, distinct_id text, title text,
         exception_type text, payload jsonb, session_id text, session_started_at timestamptz, session_release text)
        order by event_id
     ), fresh as (
       insert into crash_event_seen (project_id, event_id, received_at)
       select $2::uuid, event_id, $4::timestamptz from given on conflict do nothing returning event_id
     ), crashed as (
       insert into crashed_session (project_id, environment, started_at, session_id, release, distinct_id)
       select distinct on (started_at, session_id) $2::uuid, $3, least(${corrected('session_started_at')}, $4::timestamptz) as started_at, session_id,
         coalesce(session_release, ''), distinct_id
         from given join fresh using (event_id) where level = 'fatal' and session_id is not null
        order by started_at, session_id
       on conflict do nothing
     )
     insert into crash_event (event_id, project_id, environment, received_at, occurred_at, platform, level, release,
       distinct_id, title, exception_type, payload, status)
     select g.event_id, $2::uuid, $3, $4::timestamptz, ${sinceClocks(corrected('g.occurred_at'))}, g.platform, g.level, g.release,
       g.distinct_id, g.title, g.exception_type, g.payload, 'pending' from given g join fresh using (event_id)
     returning event_id`,
    [rows, project.projectId, project.environment, now, skewMs],
  );
  return inserted.length;
}

/** Events waiting after a given one, oldest first: a limited number, ending with the one whose stored content exceeds the byte limit. */
export async function pendingEvents(
  em: EntityManager,
  { projectId, environment }: ProjectEnvironment,
  { events, bytes }: { events: number; bytes: number },
  after: Pick<PendingEvent, 'event_id' | 'received_at'> | null,
): Promise<PendingEvent[]> {
  const { received_at: since, event_id: id } = after ?? { received_at: null, event_id: null };
  return em.execute<PendingEvent[]>(
    `select event_id, version, received_at, occurred_at, platform, level, release, title,
       (payload - '{tags,extra,breadcrumbs}'::text[])::text as payload, issue_id, symbolicated_at, exception_type, stacktrace, frames,
       packed_frames
       from (
         select *, sum(bytes) over (order by received_at, event_id) - bytes as bytes_before from (
           select event_id, xmin::text as version, received_at, occurred_at, platform, level, release, title, payload,
             issue_id, symbolicated_at, exception_type, stacktrace, frames, packed_frames,
             pg_column_size(payload) + coalesce(pg_column_size(stacktrace), 0) + coalesce(pg_column_size(frames), 0)
               + coalesce(pg_column_size(packed_frames), 0) as bytes
             from crash_event where project_id = ? and environment = ? and status = 'pending'
               and received_at >= coalesce(?::timestamptz, '-infinity') and (?::uuid is null or (received_at, event_id) > (?::timestamptz, ?::uuid))
            order by received_at, event_id limit ?
         ) oldest
       ) claimed where bytes_before < ? order by received_at, event_id`,
    [projectId, environment, since, id, since, id, events, bytes],
  );
}

/** A mark that changes whenever the project's tables do. */
export async function symbolsMark(em: EntityManager, projectId: string): Promise<string> {
  const [row] = await em.execute<{ mark: string }[]>(
    `select count(*) || ' ' || coalesce(max(id::text), '') as mark from symbol_table where project_id = ?`,
    [projectId],
  );
  return row?.mark ?? '';
}

/** Removes events from the queue for this transaction, except those that another worker took or that have changed since. */
export async function claimEvents(
  em: EntityManager,
  projectId: string,
  events: readonly PendingEvent[],
): Promise<Set<string>> {
  const rows = await em.execute<{ event_id: string; version: string }[]>(
    `select c.event_id, c.xmin::text as version from unnest(?::uuid[], ?::timestamptz[]) as w(event_id, received_at)
       join crash_event c using (event_id, received_at)
      where c.project_id = ? and c.status = 'pending' order by c.event_id for update of c`,
    [textArray(events.map((event) => event.event_id)), textArray(events.map((event) => event.received_at)), projectId],
  );
  const versions = new Map(events.map((event) => [event.event_id, event.version]));
  return new Set(rows.filter((row) => row.version === versions.get(row.event_id)).map((row) => row.event_id));
}

/** Requeues the recent events that miss these symbols. Returns how many. */
export function reprocessAfterUpload(
  em: EntityManager,
  artifact: SymbolArtifact,
  keys: string[],
  now: Date,
): Promise<number> {
  const wanted = [...keys, `@${artifact.release}`].map((key) => missingSymbol(artifact.kind, key));
  return requeue(em, artifact, `received_at > ? and missing <> '{}' and missing && ?::text[]`, [
    recentFrom(now),
    textArray(wanted),
  ]);
}

/**
 * Requeues the first events that arrived after an upload, before its tables could be used, and name its symbols: an older file may have
 * been used for them. Those that a worker is reading are read once more. Returns how many.
 */
export async function reprocessSinceUpload(
  em: EntityManager,
  artifact: SymbolArtifact,
  keys: string[],
  now: Date,
): Promise<number> {
  const { projectId, environment, kind, release, uploadedAt } = artifact;
  const since = new Date(Math.max(uploadedAt.getTime(), recentFrom(now).getTime()));
  const foundByRelease = FOUND_BY_RELEASE.has(kind) ? release : '';
  const [marked] = await em.execute<{ events: number }[]>(
    `with arrived as (
       select event_id, received_at, release, replace(lower((payload - '{tags,extra,breadcrumbs}'::text[])::text), '-', '') as named
         from crash_event where project_id = ? and environment = ? and received_at >= ?
        order by received_at, event_id limit ?
     ), marked as (
       update crash_event c set status = 'pending' from arrived a
        where c.event_id = a.event_id and c.received_at = a.received_at and (nullif(?, '') = a.release
          or exists (select from unnest(?::text[]) as k(key) where position(replace(key, '-', '') in a.named) > 0))
       returning 1
     ) select count(*)::int as events from marked`,
    [projectId, environment, since, MOST_SINCE_UPLOAD, foundByRelease, textArray(keys)],
  );
  return marked?.events ?? 0;
}

/** Requeues recent events that miss the symbols of an image. Returns how many. */
export async function reprocessMissingImages(em: EntityManager, place: ProjectEnvironment, now: Date): Promise<number> {
  await lockSymbols(em, place.projectId);
  return requeue(
    em,
    place,
    `received_at > ? and missing <> '{}'
       and exists (select from unnest(missing) as m(missing) where m.missing like 'android_ndk:%' or m.missing like 'ios_dsym:%')`,
    [recentFrom(now)],
  );
}

/** Requeues stored events of a time range, release or issue. Returns how many. */
export async function reprocessOnRequest(
  em: EntityManager,
  place: ProjectEnvironment,
  { since, until, release, issueId }: { since: Date; until: Date; release: string | null; issueId: string | null },
): Promise<number> {
  await lockSymbols(em, place.projectId);
  return requeue(
    em,
    place,
    `received_at >= ? and received_at <= ? and (?::text is null or release = ?)
       and (?::text is null or issue_id in (select id from crash_issue where id = ? or merged_into_id = ?))`,
    [since, until, release, release, issueId, issueId, issueId],
  );
}

const recentFrom = (now: Date): Date => new Date(now.getTime() - REPROCESSED_HOURS * HOUR_MS);

/** Requeues the settled events of an environment that meet a condition. Returns how many. */
async function requeue(
  em: EntityManager,
  { projectId, environment }: ProjectEnvironment,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  const [marked] = await em.execute<{ events: number }[]>(
    `with marked as (
       update crash_event set status = 'pending'
        where project_id = ? and environment = ? and status <> 'pending' and ${condition} returning 1
     ) select count(*)::int as events from marked`,
    [projectId, environment, ...values],
  );
  return marked?.events ?? 0;
}
