import type { Pool } from 'pg';

/** The handshake's view of the release that clients should run (docs/rest.md, Handshake). */
export interface CurrentRelease {
  readonly id: string;
  readonly version: string;
  readonly promoted_at: string;
}

/** The promoted release of an environment, or null. Read whenever decisions are recompiled. */
export async function currentRelease(
  pool: Pool,
  projectId: string,
  environment: string,
): Promise<CurrentRelease | null> {
  const { rows } = await pool.query<{ id: string; version: string; promoted_at: Date }>({
    name: 'current-release',
    text: `select id, version, promoted_at from deploy_release where project_id = $1 and environment = $2 and is_current`,
    values: [projectId, environment],
  });
  const [row] = rows;
  return row ? { id: row.id, version: row.version, promoted_at: row.promoted_at.toISOString() } : null;
}
