import type { EntityManager } from '@mikro-orm/postgresql';
import { textArray } from '../../../kernel/database/text-array.js';
import { splitKey } from '../../../symbols/conversion/split-packages.js';
import type { SymbolArtifact } from './symbol-artifact.entity.js';

type Place = Pick<SymbolArtifact, 'projectId' | 'environment'>;

/** Whether a key names a unit of split debug information. */
export const isSplitKey = (key: string): boolean => key.startsWith(splitKey(''));

/** Where the newest package is stored that holds one of the units; null when there is none. */
export async function findSplitPackage(em: EntityManager, place: Place, units: string[]): Promise<string | null> {
  const [found] = await em.execute<{ storage_path: string }[]>(
    `select storage_path from symbol_table
      where project_id = ? and environment = ? and format = 'split_package' and keys && ?::text[]
      order by uploaded_at desc, id desc limit 1`,
    [place.projectId, place.environment, textArray(units)],
  );
  return found?.storage_path ?? null;
}

/** The artifacts that lack one of the units. */
export async function findLackingPackage(em: EntityManager, place: Place, units: string[]): Promise<string[]> {
  const found = await em.execute<{ artifact_id: string }[]>(
    `select distinct artifact_id from symbol_table
      where project_id = ? and environment = ? and format = 'native' and keys && ?::text[]
      order by artifact_id`,
    [place.projectId, place.environment, textArray(units)],
  );
  return found.map(({ artifact_id }) => artifact_id);
}
