import type { Pool } from 'pg';

/** Has the database refuse new rows of a table for which a condition on `new` holds, until the returned function is called. */
export async function refuseRows(pool: Pool, table: string, condition: string): Promise<() => Promise<void>> {
  await pool.query(
    `create function refuse_row() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse_row before insert on ${table} for each row when (${condition}) execute function refuse_row()`,
  );
  return async () => {
    await pool.query('drop function refuse_row cascade');
  };
}
