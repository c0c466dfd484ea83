import type { EntityManager } from '@mikro-orm/postgresql';
import { textArray } from '../../../kernel/database/text-array.js';
import type { TableFormat } from '../../../symbols/conversion/converted-file.js';
import { normalizeKey } from '../../../symbols/match-key.js';
import { likeness, scriptPath } from '../../../symbols/source-map/script-path.js';

/** Maximum maps of one file name that are compared; those with the exact path come first. */
const MOST_COMPARED = 500;

interface Candidate {
  id: string;
  match_key: string;
  by_id: boolean;
}

/**
 * The source map of a script, or its code: by debug id, else the one with the most similar path, of the event's release or without one,
 * unless it belongs to another debug id. Among equals one of the release itself comes first, then the newest. Null if none matches.
 */
export async function findSourceMap(
  em: EntityManager,
  place: { projectId: string; environment: string; release: string | null; format: TableFormat },
  debugIds: readonly string[],
  script: string,
): Promise<string | null> {
  const path = scriptPath(script);
  const whole = path.segments.join('/');
  const exact = [whole, `/${whole}`, `~/${whole}`, script].map(normalizeKey);
  const ids = textArray(debugIds);
  const candidates = await em.execute<Candidate[]>(
    `select t.id, a.match_key, t.keys && ?::text[] as by_id
       from symbol_table t join symbol_artifact a on a.id = t.artifact_id
      where t.project_id = ? and t.environment = ? and t.format = ? and t.keys && ?::text[]
        and (t.keys && ?::text[] or t.release in ('', coalesce(?, '')) and (a.debug_id is null or ?::text[] = '{}'))
      order by by_id desc, t.keys && ?::text[] desc, t.release = coalesce(?, '') desc, t.uploaded_at desc, t.id desc
      limit ?`,
    [
      ids,
      place.projectId,
      place.environment,
      place.format,
      textArray([...debugIds, ...exact, path.segments.at(-1) ?? '']),
      ids,
      place.release,
      ids,
      textArray(exact),
      place.release,
      MOST_COMPARED,
    ],
  );
  if (candidates[0]?.by_id) return candidates[0].id;
  let best: { id: string; score: number } | null = null;
  for (const { id, match_key } of candidates) {
    const score = likeness(scriptPath(match_key), path);
    if (score > (best?.score ?? 0)) best = { id, score };
  }
  return best?.id ?? null;
}
