import { Refused, Unreachable } from './server-failures.js';
import { type CliSettings, UsageError } from './settings.js';

/** An artifact as the command sees it. */
export interface StoredArtifact {
  id: string;
  matchKey: string;
  status: string;
  release: string;
  failureReason: string | null;
  indexedAt: string | null;
  /** `names`: it knows symbol names only. */
  detail: 'full' | 'names' | null;
  detailReason: string | null;
}

/** A page of a list. */
interface Page<Node> {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const TIMEOUT_MS = 30_000;

const QUERY = `query($project: ID, $environment: Environment, $after: String) {
  symbolArtifacts(projectId: $project, environment: $environment, first: 100, after: $after) {
    nodes { id matchKey status release failureReason indexedAt detail detailReason } pageInfo { hasNextPage endCursor }
  }
}`;

/** All artifacts of a project and environment, the newest first. Throws UsageError, Refused, Unreachable. */
export async function* storedArtifacts(
  settings: CliSettings,
  place: { project?: string | undefined; environment?: string | undefined },
): AsyncGenerator<StoredArtifact> {
  const variables = { project: place.project ?? null, environment: place.environment ?? 'live' };
  yield* all<StoredArtifact>(settings, 'symbolArtifacts', QUERY, variables);
}

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
  let response: Response;
  try {
    response = await fetch(`${settings.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${settings.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw new Unreachable(settings.url, error);
  }
  const body = (await response.json().catch(() => null)) as { data?: Data; errors?: { message: string }[] } | null;
  if (body?.data && !body.errors) return body.data;
  if (body?.errors) throw new UsageError(body.errors.map(({ message }) => message).join(' '));
  throw new Refused(response.status, response.status === 404 ? 'not_found' : 'an answer that is not GraphQL');
}
