import type { Client, GraphqlError } from '../../support/client.js';
import type { TestApp } from '../../support/test-app.js';
import { sendUpload } from '../operation-documents.js';
import type { GraphqlRow } from './matrix-row.js';

export interface Operation {
  query: string;
  row: GraphqlRow;
}

/** Operations that use up their object, take a name or concern the caller. */
const ONCE = /^(?:abandon|add|changePassword|complete|create|delete|merge|remove|replay|revoke|signIn|split|unmerge)/;

/** Whether an operation's arguments work for only one caller. */
export const isGoodOnce = (name: string, { foreignIsGone }: GraphqlRow): boolean =>
  foreignIsGone === true || ONCE.test(name);

export interface GraphqlAnswer {
  data?: Record<string, unknown> | null;
  errors?: GraphqlError[];
}

export async function askGraphql(client: Client, { query, row }: Operation, variables: object): Promise<GraphqlAnswer> {
  const answer = row.uploads
    ? await sendUpload(client, query, variables, row.uploads)
    : await client.post('/graphql', { query, variables });
  return answer.body as GraphqlAnswer;
}

/** Kinds of the stored events, oldest first. */
export async function eventKinds(test: TestApp): Promise<string[]> {
  const { rows } = await test.app.pool.query<{ kind: string }>('select kind from event_log order by sequence');
  return rows.map(({ kind }) => kind);
}

/** Runs eight at a time; one by one, most of the time would be spent waiting for commits. */
export async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}
