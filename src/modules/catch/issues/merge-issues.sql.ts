import type { EntityManager } from '@mikro-orm/postgresql';
import { textArray } from '../../../kernel/database/text-array.js';

/**
 * Merges issues, and those merged into them, into another, which counts their events from now on. The number of further events until it is
 * no longer ignored stays the same.
 */
export async function joinIssues(em: EntityManager, into: string, ids: readonly string[]): Promise<void> {
  await em.execute(
    `with joined as (
       select sum(event_count) as events, min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at,
              (array_agg(first_release order by first_seen_at))[1] as first_release,
              (array_agg(last_release order by last_seen_at desc))[1] as last_release
         from crash_issue where id = any(?::text[])
     )
     update crash_issue i set event_count = i.event_count + j.events, ignored_until_count = i.ignored_until_count + j.events,
       first_release = case when j.first_seen_at < i.first_seen_at then j.first_release else i.first_release end,
       last_release = case when j.last_seen_at > i.last_seen_at then j.last_release else i.last_release end,
       first_seen_at = least(i.first_seen_at, j.first_seen_at), last_seen_at = greatest(i.last_seen_at, j.last_seen_at)
      from joined j where i.id = ?`,
    [textArray(ids), into],
  );
  await em.execute(
    `update crash_issue set merged_into_id = ? where id = any(?::text[]) or merged_into_id = any(?::text[])`,
    [into, textArray(ids), textArray(ids)],
  );
}

/**
 * Splits off a merged issue, whose events the other no longer counts, with the state of the other: if ignored, until the same number of
 * further events. If the other took its first or last event from this issue, it is read from the remaining events.
 */
export async function partIssue(em: EntityManager, id: string): Promise<void> {
  await em.execute(
    `update crash_issue p set merged_into_id = null, status = i.status, resolved_at = i.resolved_at, ignored = i.ignored,
       ignored_at = i.ignored_at, ignored_until = i.ignored_until,
       ignored_until_count = i.ignored_until_count - i.event_count + p.event_count
      from crash_issue i where p.id = ? and i.id = p.merged_into_id`,
    [id],
  );
}

/** Subtracts the events of a merged issue from the one that counted them too. */
export async function uncountPart(em: EntityManager, id: string): Promise<void> {
  await em.execute(
    `with part as (select * from crash_issue where id = ?), own as (
       select c.id from crash_issue c, part
        where part.id <> c.id and (c.id = part.merged_into_id or c.merged_into_id = part.merged_into_id)
     ), oldest as (
       select received_at, release from crash_event where issue_id in (select id from own) order by received_at limit 1
     ), newest as (
       select received_at, release from crash_event where issue_id in (select id from own) order by received_at desc limit 1
     )
     update crash_issue i set event_count = i.event_count - part.event_count,
       ignored_until_count = i.ignored_until_count - part.event_count,
       first_release = case when part.first_seen_at = i.first_seen_at then coalesce(oldest.release, i.first_release) else i.first_release end,
       first_seen_at = case when part.first_seen_at = i.first_seen_at then coalesce(oldest.received_at, i.first_seen_at) else i.first_seen_at end,
       last_release = case when part.last_seen_at = i.last_seen_at then coalesce(newest.release, i.last_release) else i.last_release end,
       last_seen_at = case when part.last_seen_at = i.last_seen_at then coalesce(newest.received_at, i.last_seen_at) else i.last_seen_at end
      from part left join oldest on true left join newest on true where i.id = part.merged_into_id`,
    [id],
  );
}
