import type { Pool } from 'pg';

/** The modules that a project switched off; none if the project doesn't exist. */
export async function disabledModules(pool: Pool, projectId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ disabled_modules: string[] }>({
    name: 'disabled-modules',
    text: 'select disabled_modules from project where id = $1',
    values: [projectId],
  });
  return rows[0]?.disabled_modules ?? [];
}
