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

interface Answer {
  data?: {
    symbolArtifacts: { nodes: StoredArtifact[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  };
  errors?: { message: string }[];
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
  let after: string | null = null;
  do {
    const variables = { project: place.project ?? null, environment: place.environment ?? 'live', after };
    const { symbolArtifacts }: NonNullable<Answer['data']> = await ask(settings, variables);
    yield* symbolArtifacts.nodes;
    after = symbolArtifacts.pageInfo.hasNextPage ? symbolArtifacts.pageInfo.endCursor : null;
  } while (after !== null);
}

async function ask(settings: CliSettings, variables: object): Promise<NonNullable<Answer['data']>> {
  let response: Response;
  try {
    response = await fetch(`${settings.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${settings.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: QUERY, variables }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw new Unreachable(settings.url, error);
  }
  const body = (await response.json().catch(() => null)) as Answer | null;
  if (body?.data && !body.errors) return body.data;
  if (body?.errors) throw new UsageError(body.errors.map(({ message }) => message).join(' '));
  throw new Refused(response.status, response.status === 404 ? 'not_found' : 'an answer that is not GraphQL');
}
