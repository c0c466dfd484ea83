import { type CliSettings, UsageError } from '../settings/settings.js';
import { tell } from '../terminal.js';
import { withRetries } from './retries.js';
import { send } from './send.js';
import { Refused } from './server-failures.js';

interface Page<Node> {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** A server that starts anew is back by then. */
const MOST_RETRIES = 2;

/** All nodes of a list that a query pages through by its variable `after`. Throws as {@link ask}. */
export async function* all<Node>(
  settings: CliSettings,
  field: string,
  query: string,
  variables: object,
): AsyncGenerator<Node> {
  let after: string | null = null;
  do {
    const data: Record<string, Page<Node>> = await ask(settings, query, { ...variables, after });
    const page = data[field] as Page<Node>;
    yield* page.nodes;
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
}

/** The data that the server answers to a query. Throws UsageError with what GraphQL says, Refused, Unreachable. */
export async function ask<Data extends object>(settings: CliSettings, query: string, variables: object): Promise<Data> {
  const bytes = JSON.stringify({ query, variables });
  const request = { bytes, headers: { 'content-type': 'application/json' } };
  // Refusals of GraphQL are read for their sentences.
  const answer = await withRetries(
    () => send(settings, 'POST', '/graphql', request, { wanted: [200, 400, 401, 403] }),
    tell,
    MOST_RETRIES,
  );
  const { data, errors } = answer.body as {
    data?: Data | null;
    errors?: { message: string; extensions?: { code?: string } }[];
  };
  if (data && !errors) return data;
  if (errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) throw new Refused(401, 'invalid_token');
  throw new UsageError(
    errors?.map(({ message }) => message).join(' ') ?? 'The server gave an answer that is not GraphQL.',
  );
}
