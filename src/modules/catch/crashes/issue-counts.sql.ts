import type { EntityManager } from '@mikro-orm/postgresql';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import { textArray } from '../../../kernel/database/text-array.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { storableJson } from '../../../kernel/text.js';
import type { Grouping } from '../../../symbols/symbolication/crash-grouping.js';
import type { PendingEvent } from '../symbols/pending-events.sql.js';

export interface GroupedEvent {
  event: PendingEvent;
  grouping: Grouping;
  title: string;
}

export interface IssueRow {
  id: string;
  fingerprint: string;
  status: string;
  resolved_at: string | null;
  event_count: number;
  ignored: boolean;
  ignored_until: string | null;
  ignored_until_count: string | null;
  merged_into_id: string | null;
}

export interface OwnIssue extends IssueRow {
  created: boolean;
}

const STATE = `i.id, i.fingerprint, i.status, i.resolved_at, i.event_count::float8 as event_count, i.ignored, i.ignored_until,
  i.ignored_until_count, i.merged_into_id`;

/** The columns set by an update that adds events to an issue; `g` has the additions. */
const ADDED = (g: string): string => `event_count = i.event_count + ${g}.event_count,
  first_seen_at = least(i.first_seen_at, ${g}.first_seen_at),
  last_release = case when ${g}.last_seen_at >= i.last_seen_at then ${g}.last_release else i.last_release end,
  last_seen_at = greatest(i.last_seen_at, ${g}.last_seen_at)`;

export async function issuesById(em: EntityManager, ids: readonly string[]): Promise<Map<string, IssueRow>> {
  if (ids.length === 0) return new Map();
  const rows = await em.execute<IssueRow[]>(`select ${STATE} from crash_issue i where id = any(?::text[])`, [
    textArray([...new Set(ids)]),
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Removes an event from an issue, and from the one it was merged into, once per given id. */
export async function takeFrom(em: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await em.execute(
    `with given as (select id, count(*) as events from unnest(?::text[]) as g(id) group by id),
       taken as (
         select id, sum(events) as events from (
           select id, events from given union all
           select i.merged_into_id, events from given join crash_issue i using (id)
         ) each group by id
       )
     update crash_issue i set event_count = i.event_count - taken.events from taken where i.id = taken.id`,
    [textArray(ids)],
  );
}

export async function deleteEmpty(em: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await em.execute(
    `delete from crash_issue i where id = any(?::text[]) and event_count <= 0 and status = 'open'
        and not exists (select from crash_issue where merged_into_id = i.id)`,
    [textArray([...new Set(ids)])],
  );
}

/** Adds events, oldest first, to the issues of their fingerprints, creating missing ones. Returns them by fingerprint. */
export async function addToOwn(
  em: EntityManager,
  { projectId, environment }: ProjectEnvironment,
  byFingerprint: ReadonlyMap<string, GroupedEvent[]>,
): Promise<Map<string, OwnIssue>> {
  if (byFingerprint.size === 0) return new Map();
  const given = [...byFingerprint].map(([fingerprint, events]) => {
    const { event, grouping, title } = events[0] as GroupedEvent;
    const { platform, level, release } = event;
    const issue = { id: newPrefixedId('iss'), fingerprint, title, culprit: grouping.culprit, platform, level };
    return { ...issue, first_release: release, ...added(events) };
  });
  const rows = await em.execute<OwnIssue[]>(
    `insert into crash_issue as i (id, project_id, environment, fingerprint, title, culprit, platform, level, status,
       event_count, first_seen_at, last_seen_at, first_release, last_release)
     select id, ?::uuid, ?, fingerprint, title, culprit, platform, level, 'open',
       event_count, first_seen_at, last_seen_at, first_release, last_release
       from jsonb_to_recordset(?::jsonb) as g(id text, fingerprint text, title text, culprit text, platform text, level text,
         event_count bigint, first_seen_at timestamptz, last_seen_at timestamptz, first_release text, last_release text)
      order by fingerprint
     on conflict (project_id, environment, fingerprint) do update set ${ADDED('excluded')}
     returning ${STATE}, (xmax = 0) as created`,
    // Names come from symbol files, which may contain characters that PostgreSQL's text type can't store.
    [projectId, environment, JSON.stringify(storableJson(given))],
  );
  return new Map(rows.map((row) => [row.fingerprint, row]));
}

/** Events, oldest first, of an issue that others were merged into, and how many of them came through those. */
export interface WholeIssue {
  id: string;
  all: GroupedEvent[];
  parts: number;
}

/** Adds events from merged issues to the issues they were merged into. Returns the existing ones, by id. */
export async function addToMerged(em: EntityManager, wholes: readonly WholeIssue[]): Promise<Map<string, IssueRow>> {
  if (wholes.length === 0) return new Map();
  const given = wholes.map(({ id, all, parts }) => ({ id, ...added(all), event_count: parts }));
  const rows = await em.execute<IssueRow[]>(
    `update crash_issue i set ${ADDED('g')}
       from jsonb_to_recordset(?::jsonb) as g(id text, event_count bigint, first_seen_at timestamptz, last_seen_at timestamptz,
         last_release text)
      where i.id = g.id returning ${STATE}`,
    [JSON.stringify(storableJson(given))],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function unmerge(em: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await em.execute('update crash_issue set merged_into_id = null where id = any(?::text[])', [textArray(ids)]);
}

export async function reopen(em: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await em.execute(
    `update crash_issue set status = 'open', resolved_at = null, ignored = false, ignored_at = null, ignored_until = null,
       ignored_until_count = null where id = any(?::text[])`,
    [textArray(ids)],
  );
}

function added(events: readonly GroupedEvent[]): object {
  const [first, last] = [events[0] as GroupedEvent, events.at(-1) as GroupedEvent];
  return {
    event_count: events.length,
    first_seen_at: first.event.received_at,
    last_seen_at: last.event.received_at,
    last_release: last.event.release,
  };
}
