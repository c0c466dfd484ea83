import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../../../kernel/actor.js';
import { KEPT_PROFILES } from '../../quotas/limits.js';

/** Whose profiles are counted together. */
export interface ProfilePlace {
  readonly projectId: string;
  readonly environment: Environment;
}

const DELETE = `delete from crash_profile where id in (
    select id from (
      select id, received_at, row_number() over newest as count, sum(size_bytes) over newest as bytes
        from crash_profile where project_id = ? and environment = ?
      window newest as (order by received_at desc, id desc rows unbounded preceding)) kept
     where count > ? or bytes > ? order by received_at, id limit ?)
  returning storage_path`;

/**
 * Deletes the oldest profiles of an environment beyond those that are kept, at most so many; the paths of their objects. Where somebody else
 * is at it nobody waits: what is too many then goes with the next profile.
 */
export async function deleteOldProfiles(
  em: EntityManager,
  { projectId, environment }: ProfilePlace,
  most: number,
): Promise<string[]> {
  const [turn] = await em.execute<{ mine: boolean }[]>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as mine',
    [`profiles ${projectId} ${environment}`],
  );
  if (!turn?.mine) return [];
  const { count, bytes } = KEPT_PROFILES;
  const values = [projectId, environment, count, bytes, most];
  const rows = await em.execute<{ storage_path: string }[]>(DELETE, values);
  return rows.map(({ storage_path: path }) => path);
}
