import pg from 'pg';

/** Runs work and counts the statements that the application sent meanwhile, transaction control included. */
export async function countStatements<T>(work: () => Promise<T>): Promise<{ result: T; statements: number }> {
  const { query } = pg.Client.prototype;
  let statements = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: never[]) {
    statements += 1;
    return (query as (...all: never[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    return { result: await work(), statements };
  } finally {
    pg.Client.prototype.query = query;
  }
}
