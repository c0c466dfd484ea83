import pg from 'pg';
import * as assert from 'uvu/assert';

/** A statement as sent by the application. */
export interface Statement {
  /** The name under which the connection keeps it prepared; none if it is planned for its values each time. */
  name?: string | undefined;
  text: string;
  values: unknown[];
}

/** Runs work and records the statements that the application sends meanwhile, including transaction control. */
export async function recordStatements<T>(work: () => Promise<T>): Promise<{ result: T; statements: Statement[] }> {
  const { query } = pg.Client.prototype;
  const statements: Statement[] = [];
  pg.Client.prototype.query = function recorded(this: pg.Client, ...args: never[]) {
    const [statement, values] = args as unknown as [string | Partial<Statement>, unknown[] | undefined];
    const { name, text = '', values: own } = typeof statement === 'string' ? { text: statement } : statement;
    statements.push({ name, text, values: own ?? (Array.isArray(values) ? values : []) });
    return (query as (...all: never[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    return { result: await work(), statements };
  } finally {
    pg.Client.prototype.query = query;
  }
}

/** A statement that starts like a query but stores something, such as a meter's count. */
const STORES = /\b(?:insert into|delete from|update \S+ (?:as )?(?:\w+ )?set)\b/i;

/**
 * As {@link recordStatements}, but only statements that read. What the server writes on its own half a second after a
 * request (the decisions it counted, the use of a key) would end up in the next request on a slow machine.
 */
export async function recordReads<T>(work: () => Promise<T>): Promise<{ result: T; statements: Statement[] }> {
  const { result, statements } = await recordStatements(work);
  return {
    result,
    statements: statements.filter(
      ({ text }) => /^\s*(select|with)\b(?! pg_)/i.test(text) && !text.includes('pgboss.') && !STORES.test(text),
    ),
  };
}

/**
 * Asserts that two queries take the same number of reads, and returns the second's result. Reads that the server makes
 * on its own appear only in some attempts; a statement per row appears in all of them.
 */
export async function takeAsManyReads<T>(one: () => Promise<unknown>, many: () => Promise<T>, what = ''): Promise<T> {
  for (let go = 1; ; go += 1) {
    const [few, all] = [await recordReads(one), await recordReads(many)];
    if (few.statements.length === all.statements.length || go === 10) {
      assert.is(
        all.statements.length,
        few.statements.length,
        `${what}\n${textsBeyond(all.statements, few.statements)}`,
      );
      return all.result;
    }
  }
}

/** Asserts that a list of `many` takes as many reads as a list of one, and returns it. */
export async function listTakesAsManyReads<T>(
  list: (first: number) => Promise<T>,
  many: number,
  what = '',
): Promise<T> {
  // The first request of a caller also looks up the caller.
  await list(1);
  return takeAsManyReads(
    () => list(1),
    () => list(many),
    what,
  );
}

/** The texts of statements that occur more often in one list than in the other. */
function textsBeyond(some: readonly Statement[], others: readonly Statement[]): string {
  const left = others.map(({ text }) => text);
  const beyond = some.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return beyond.map(({ text }) => text).join('\n');
}

/**
 * Runs work while the answer to COMMIT is lost for every transaction that stored something in a table: it is stored,
 * but nobody knows.
 */
export async function losingCommitsTo<T>(table: string, work: () => Promise<T>): Promise<T> {
  const { query } = pg.Client.prototype;
  const storing = new WeakSet<pg.Client>();
  pg.Client.prototype.query = function losing(this: pg.Client, ...args: never[]) {
    const [statement] = args as unknown as [string | Partial<Statement>];
    const text = typeof statement === 'string' ? statement : (statement.text ?? '');
    if (text.startsWith(`insert into "${table}"`)) storing.add(this);
    const answer = (query as (...all: never[]) => unknown).apply(this, args);
    if (text.toLowerCase() !== 'commit' || !storing.delete(this)) return answer;
    return (answer as Promise<unknown>).then(() => Promise.reject(new Error('Connection terminated unexpectedly')));
  } as typeof query;
  try {
    return await work();
  } finally {
    pg.Client.prototype.query = query;
  }
}
