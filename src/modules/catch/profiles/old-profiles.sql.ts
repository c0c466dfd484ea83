import type { EntityManager } from '@mikro-orm/postgresql';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import { KEPT_PROFILES } from '../../quotas/limits.js';

/** From the oldest on, deletes each one that exceeds the limit on number or size, counting those that are no older. */
const DELETE = `
with present as (
  select count(*) as count, sum(size_bytes) as bytes from crash_profile where project_id = ? and environment = ?
), oldest as (
  select id, received_at, size_bytes from crash_profile where project_id = ? and environment = ?
   order by received_at, id limit ?
), gone as (
  select id from (
    select id, row_number() over in_order - 1 as older, sum(size_bytes) over in_order - size_bytes as older_bytes from oldest
    window in_order as (order by received_at, id rows unbounded preceding)) o, present
   where present.count - older > ? or present.bytes - older_bytes > ?
)
delete from crash_profile where id in (select id from gone) returning storage_path`;

/**
 * Deletes the oldest profiles of an environment beyond the kept ones, up to a limit; returns the paths of their objects. If someone else is
 * doing it, nobody waits: the excess then goes with the next profile.
 */
export async function deleteOldProfiles(
  em: EntityManager,
  { projectId, environment }: ProjectEnvironment,
  most: number,
): Promise<string[]> {
  const [turn] = await em.execute<{ mine: boolean }[]>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as mine',
    [`profiles ${projectId} ${environment}`],
  );
  if (!turn?.mine) return [];
  const { count, bytes } = KEPT_PROFILES;
  const place = [projectId, environment];
  const values = [...place, ...place, most, count, bytes];
  const rows = await em.execute<{ storage_path: string }[]>(DELETE, values);
  return rows.map(({ storage_path: path }) => path);
}
