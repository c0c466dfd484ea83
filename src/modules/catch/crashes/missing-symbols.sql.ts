import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment, ProjectEnvironment } from '../../../kernel/actor.js';
import { dashedUuid } from '../../../symbols/match-key.js';
import type { MissingSymbols } from '../catch.results.js';

const MOST_SHOWN = 200;

interface MissingRow {
  missing: string;
  events: string;
  first: string;
  last: string;
  release: string | null;
  image: string | null;
  isSystem: boolean;
}

/** Missing symbols that events of the last 31 days (UTC) need: the user's own before the system's, then the most needed first. */
export async function findMissingSymbols(
  em: EntityManager,
  projectId: string,
  environment: Environment,
  ignoresSystem: boolean,
): Promise<MissingSymbols[]> {
  const rows = await em.execute<MissingRow[]>(
    `select missing, s.events::text as events, first_seen_at as first, last_seen_at as last, release, image, is_system as "isSystem"
       from crash_missing_symbol s where project_id = ? and environment = ? ${ignoresSystem ? 'and not is_system' : ''}
      order by is_system, s.events desc, missing limit ?`,
    [projectId, environment, MOST_SHOWN],
  );
  return rows.map((row) => presented({ projectId, environment }, row));
}

function presented(place: ProjectEnvironment, { missing, first, last, ...row }: MissingRow): MissingSymbols {
  const colon = missing.indexOf(':');
  const key = missing.slice(colon + 1).replace(/^@/, '');
  return {
    ...row,
    ...place,
    kind: missing.slice(0, colon),
    key,
    debugId: /^[0-9a-f]{32}$/.test(key.replaceAll('-', '')) ? dashedUuid(key) : null,
    firstSeenAt: new Date(first),
    lastSeenAt: new Date(last),
  };
}
