import { type CliSettings, UsageError } from '../settings/settings.js';
import { printMessage } from '../terminal.js';
import { withRetries } from './retries.js';
import { send } from './send.js';
import { Refused } from './server-failures.js';

interface Page<Node> {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** A restarting server is back by then. */
const MOST_RETRIES = 2;

/** All nodes of a list, paged by the query's `after` variable. Throws like {@link queryServer}. */
export async function* all<Node>(
  settings: CliSettings,
  field: string,
  query: string,
  variables: object,
): AsyncGenerator<Node> {
  let after: string | null = null;
  do {
    const data: Record<string, Page<Node>> = await queryServer(settings, query, { ...variables, after });
    const page = data[field] as Page<Node>;
    yield* page.nodes;
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
}

/** The data of a query. Throws UsageError with the GraphQL error, Refused or Unreachable. */
export async function queryServer<Data extends object>(
  settings: CliSettings,
  query: string,
  variables: object,
): Promise<Data> {
  const bytes = JSON.stringify({ query, variables });
  const request = { bytes, headers: { 'content-type': 'application/json' } };
  // GraphQL error responses are parsed for their messages.
  const answer = await withRetries(
    () => send(settings, 'POST', '/graphql', request, { wanted: [200, 400, 401, 403] }),
    printMessage,
    MOST_RETRIES,
  );
  const { data, errors } = answer.body as {
    data?: Data | null;
    errors?: { message: string; extensions?: { code?: string } }[];
  };
  if (data && !errors) return data;
  if (errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) throw new Refused(401, 'invalid_token');
  throw new UsageError(
    errors?.map(({ message }) => message).join(' ') ?? 'The server did not answer with GraphQL. Check QUARTERDECK_URL.',
  );
}
