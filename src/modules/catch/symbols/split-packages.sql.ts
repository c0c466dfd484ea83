import type { EntityManager } from '@mikro-orm/postgresql';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import { textArray } from '../../../kernel/database/text-array.js';
import { splitKey } from '../../../symbols/conversion/split-packages.js';

export const isSplitKey = (key: string): boolean => key.startsWith(splitKey(''));

export interface SplitPackage {
  readonly path: string;
  readonly bytes: number;
}

/** Packages that are read with one file. */
const MOST_PACKAGES = 64;

/**
 * The packages, newest first, that claim to contain the units and haven't been tried: the newest for each unit, more of them the more were
 * tried in vain. Empty once `MOST_PACKAGES` were tried, or if the remaining ones would exceed `mostBytes`.
 */
export async function findSplitPackages(
  em: EntityManager,
  place: ProjectEnvironment,
  units: string[],
  tried: readonly SplitPackage[],
  mostBytes: number,
): Promise<SplitPackage[]> {
  if (units.length === 0 || tried.length >= MOST_PACKAGES) return [];
  const found = await em.execute<{ storage_path: string; size_bytes: string }[]>(
    `with claim as (
       select t.id, t.artifact_id, t.storage_path, t.uploaded_at,
         row_number() over (partition by unit order by t.uploaded_at desc, t.id desc) as place
         from symbol_table t, unnest(t.keys) as unit
        where t.project_id = ? and t.environment = ? and t.format = 'split_package' and t.keys && ?::text[]
          and t.storage_path <> all(?::text[]) and unit in (select unnest(?::text[]))
     ), wanted as (select distinct id, artifact_id, storage_path, uploaded_at from claim where place <= ?)
     select w.storage_path, a.size_bytes from wanted w join symbol_artifact a on a.id = w.artifact_id
      order by w.uploaded_at desc, w.id desc limit ?`,
    [
      place.projectId,
      place.environment,
      textArray(units),
      textArray(tried.map(({ path }) => path)),
      textArray(units),
      tried.length + 1,
      MOST_PACKAGES - tried.length,
    ],
  );
  let all = tried.reduce((sum, { bytes }) => sum + bytes, 0);
  const fitting: SplitPackage[] = [];
  for (const { storage_path: path, size_bytes } of found) {
    const bytes = Number(size_bytes);
    if (all > 0 && all + bytes > mostBytes) continue;
    fitting.push({ path, bytes });
    all += bytes;
  }
  return fitting;
}

/** The artifacts that miss one of the units. */
export async function findLackingPackage(
  em: EntityManager,
  place: ProjectEnvironment,
  units: string[],
): Promise<string[]> {
  const found = await em.execute<{ artifact_id: string }[]>(
    `select distinct artifact_id from symbol_table
      where project_id = ? and environment = ? and format = 'native' and keys && ?::text[]
      order by artifact_id`,
    [place.projectId, place.environment, textArray(units)],
  );
  return found.map(({ artifact_id }) => artifact_id);
}
