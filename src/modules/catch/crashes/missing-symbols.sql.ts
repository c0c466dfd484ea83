import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../../../kernel/actor.js';
import { textArray } from '../../../kernel/database/text-array.js';
import { dashedUuid } from '../../../symbols/match-key.js';
import { isSystemImage } from '../../../symbols/system-image.js';
import type { MissingSymbols } from './crash-event.results.js';

/** Of these the user's own are put first, and as many shown as {@link MOST_SHOWN}. */
const MOST_COUNTED = 400;
const MOST_SHOWN = 200;

interface MissingRow {
  missing: string;
  events: string;
  first: string;
  last: string;
  release: string | null;
  event: string;
}

/** Which symbols events since an instant asked for in vain: the user's own before the system's, then the most wanted first. */
export async function findMissingSymbols(
  em: EntityManager,
  projectId: string,
  environment: Environment,
  since: Date,
  ignoresSystem: boolean,
): Promise<MissingSymbols[]> {
  const rows = await em.execute<MissingRow[]>(
    `select m.missing, count(*)::text as events, min(received_at) as first, max(received_at) as last,
            (array_agg(release order by received_at desc) filter (where release is not null))[1] as release,
            (array_agg(event_id order by received_at desc))[1] as event
       from crash_event, unnest(crash_event.missing) as m(missing)
      where project_id = ? and environment = ? and received_at > ? and crash_event.missing <> '{}' group by m.missing
      order by count(*) desc, m.missing limit ?`,
    [projectId, environment, since, MOST_COUNTED],
  );
  const images = await imagesOf(em, projectId, since, rows);
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
  since: Date,
  rows: readonly MissingRow[],
): Promise<Map<string, MissedImage>> {
  if (rows.length === 0) return new Map();
  const found = await em.execute<({ missing: string } & MissedImage)[]>(
    `select w.missing, min(left(i.image ->> 'codeFile', 4000)) as path, min(e.platform) as platform
       from unnest(?::text[], ?::uuid[]) as w(missing, event_id)
       join crash_event e on e.event_id = w.event_id and e.project_id = ? and e.received_at > ?
      cross join lateral jsonb_array_elements(e.payload -> 'images') as i(image)
      where left(replace(lower(i.image ->> 'debugId'), '-', ''), 32) = left(split_part(w.missing, ':', 2), 32)
      group by w.missing`,
    [textArray(rows.map(({ missing }) => missing)), textArray(rows.map(({ event }) => event)), projectId, since],
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
