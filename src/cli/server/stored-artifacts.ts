import type { CliSettings } from '../settings/settings.js';
import { all } from './query-server.js';

export interface StoredArtifact {
  id: string;
  symbolKind: string;
  matchKey: string;
  /** Only for scripts and source maps. */
  debugId: string | null;
  status: string;
  release: string;
  environment: string;
  originalName: string;
  sizeBytes: number;
  sha256: string;
  uploadedAt: string;
  failureReason: string | null;
  indexedAt: string | null;
  /** `names`: symbol names only; `code`: a script itself. */
  detail: 'full' | 'names' | 'code' | null;
  detailReason: string | null;
}

export interface ArtifactPlace {
  project?: string | undefined;
  environment?: string | undefined;
  filter?: object;
}

const QUERY = `query($project: ID, $environment: Environment, $filter: SymbolArtifactFilter, $after: String) {
  symbolArtifacts(projectId: $project, environment: $environment, filter: $filter, first: 100, after: $after) {
    nodes {
      id symbolKind matchKey debugId status release environment originalName sizeBytes sha256 uploadedAt
      failureReason indexedAt detail detailReason
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** All artifacts of a project and environment, newest first. Throws UsageError, Refused, Unreachable. */
export async function* storedArtifacts(settings: CliSettings, place: ArtifactPlace): AsyncGenerator<StoredArtifact> {
  const { project = null, environment = 'live', filter = null } = place;
  yield* all<StoredArtifact>(settings, 'symbolArtifacts', QUERY, { project, environment, filter });
}
