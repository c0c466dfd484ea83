import pg from 'pg';
import * as assert from 'uvu/assert';

/** A statement as the application sent it. */
export interface Statement {
  /** Under which the connection keeps it prepared; none where it is planned for its values each time. */
  name?: string | undefined;
  text: string;
  values: unknown[];
}

/** Runs work and keeps the statements that the application sent meanwhile, transaction control included. */
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

/** A statement that begins as a question and yet stores something, such as the count of a meter. */
const STORES = /\b(?:insert into|delete from|update \S+ (?:as )?(?:\w+ )?set)\b/i;

/**
 * As {@link recordStatements}, only those that read: what the server notes by itself half a second after a request (the decisions it
 * counted, the use of a key) falls into the next one on a slow machine.
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
 * Asserts that two questions take equally many reads, and answers the second's result. What the server reads by itself meanwhile falls into
 * some goes only; a statement for each row is in all of them.
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

/** The texts of statements that are more often among some than among others. */
function textsBeyond(some: readonly Statement[], others: readonly Statement[]): string {
  const left = others.map(({ text }) => text);
  const beyond = some.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return beyond.map(({ text }) => text).join('\n');
}

/** Runs work while the answer to the COMMIT of every transaction that stored something in a table is lost: it is stored, and nobody knows. */
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
