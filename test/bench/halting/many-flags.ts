import type { Pool } from 'pg';

const FLAGS = `insert into flag (id, project_id, environment, key, kind, description, default_value, default_variant, variants,
    rules, is_archived, current_version, created_at, updated_at)
  select 'flg_' || lpad(n::text, 26, '0'), $1, 'live', 'bench.' || n, 'boolean', '', 'false', 'off',
         '[{"key":"on","value":true},{"key":"off","value":false}]', '[]', false, 1, now(), now()
    from generate_series(1, $2::int) as n`;

/** Stores this many flags, `bench.1` and so on, in a project without flags. */
export async function storeFlags(pool: Pool, projectId: string, count: number): Promise<void> {
  await pool.query(FLAGS, [projectId, count]);
}
