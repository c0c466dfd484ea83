import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../../../kernel/actor.js';
import { textArray } from '../../../kernel/database/text-array.js';
import { dashedUuid } from '../../../symbols/match-key.js';
import { isSystemImage } from '../../../symbols/system-image.js';
import type { MissingSymbols } from './crash-event.results.js';
import { firstMissingDay, MISSING_BY_DAY, MISSING_ON_DAY } from './missing-counts.js';

/** Of these the user's own are put first, and as many shown as {@link MOST_SHOWN}. */
const MOST_COUNTED = 400;
const MOST_SHOWN = 200;

/** Counts of whole days, and the events themselves on days with a note, in one statement, so that no event is counted twice or not at all. */
const FIND = `with given as (select ?::uuid as project_id, ?::text as environment, ?::date as first),
  noted as (
    select n.* from crash_missing_note n join given using (project_id, environment) where n.day >= given.first
  ), each as (
    select d.missing, d.events, d.first_seen_at, d.last_seen_at, d.event_id, d.release, d.release_seen_at, d.release_event_id
      from crash_missing_day d join given using (project_id, environment)
     where d.day >= given.first and not exists (select from noted where noted.day = d.day)
    union all
    select c.missing, c.events, c.first_seen_at, c.last_seen_at, c.event_id, c.release, c.release_seen_at, c.release_event_id
      from noted cross join lateral (${MISSING_BY_DAY(
        MISSING_ON_DAY({ project: 'noted.project_id', environment: 'noted.environment', day: 'noted.day' }),
      )}) c
  )
  select missing, sum(events)::text as events, min(first_seen_at) as first, max(last_seen_at) as last,
         (array_agg(release order by release_seen_at desc, release_event_id desc) filter (where release is not null))[1] as release,
         (array_agg(event_id order by last_seen_at desc, event_id desc))[1] as event
    from each group by missing order by sum(events) desc, missing limit ?`;

interface MissingRow {
  missing: string;
  events: string;
  first: string;
  last: string;
  release: string | null;
  event: string;
}

/** Which symbols the events of the last 31 days (UTC) asked for in vain: the user's own before the system's, then the most wanted first. */
export async function findMissingSymbols(
  em: EntityManager,
  projectId: string,
  environment: Environment,
  now: Date,
  ignoresSystem: boolean,
): Promise<MissingSymbols[]> {
  const first = firstMissingDay(now);
  const rows = await em.execute<MissingRow[]>(FIND, [projectId, environment, first, MOST_COUNTED]);
  const images = await imagesOf(em, projectId, first, rows);
  const found = rows.map((row) => presented(projectId, row, images.get(row.missing)));
  const own = found.filter(({ isSystem }) => !isSystem);
  const ofSystem = ignoresSystem ? [] : found.filter(({ isSystem }) => isSystem);
  return [...own, ...ofSystem].slice(0, MOST_SHOWN);
}

/** A library as an event names it. */
interface MissedImage {
  path: string;
  platform: string;
}

/** Each image, as the newest event that missed its symbols had it. Breakpad appends an age to the 32 digits of its ids. */
async function imagesOf(
  em: EntityManager,
  projectId: string,
  first: string,
  rows: readonly MissingRow[],
): Promise<Map<string, MissedImage>> {
  if (rows.length === 0) return new Map();
  const found = await em.execute<({ missing: string } & MissedImage)[]>(
    `select w.missing, min(left(i.image ->> 'codeFile', 4000)) as path, min(e.platform) as platform
       from unnest(?::text[], ?::uuid[]) as w(missing, event_id)
       join crash_event e on e.event_id = w.event_id and e.project_id = ? and e.received_at >= ?::timestamp at time zone 'UTC'
      cross join lateral jsonb_array_elements(e.payload -> 'images') as i(image)
      where left(replace(lower(i.image ->> 'debugId'), '-', ''), 32) = left(split_part(w.missing, ':', 2), 32)
      group by w.missing`,
    [textArray(rows.map(({ missing }) => missing)), textArray(rows.map(({ event }) => event)), projectId, first],
  );
  return new Map(found.flatMap(({ missing, ...image }) => (image.path ? [[missing, image] as const] : [])));
}

function presented(
  projectId: string,
  { missing, events, first, last, release }: MissingRow,
  image: MissedImage | undefined,
): MissingSymbols {
  const colon = missing.indexOf(':');
  const key = missing.slice(colon + 1).replace(/^@/, '');
  return {
    projectId,
    kind: missing.slice(0, colon),
    key,
    debugId: /^[0-9a-f]{32}$/.test(key.replaceAll('-', '')) ? dashedUuid(key) : null,
    image: image?.path ?? null,
    isSystem: image !== undefined && isSystemImage(image.path, image.platform),
    release,
    events,
    firstSeenAt: new Date(first),
    lastSeenAt: new Date(last),
  };
}
