import type { IngestionService } from '../../src/modules/ingest/intake/ingestion.service.js';
import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import { projectKey } from '../callers.js';
import { type Route, route } from '../route.js';
import type { IngestAnswer } from './bodies.js';
import { ingestErrors } from './errors.js';
import { INGEST_LIMIT, ingestPaths } from './paths.js';

export function ingestRoutes(ingestion: IngestionService): Route[] {
  return ingestPaths(ingestion).map(({ path, describes, take }) =>
    route({
      method: 'POST',
      path,
      limit: INGEST_LIMIT,
      caller: projectKey,
      body: { reads: 'stream', cap: BODY_CAPS.stream },
      runs: 'own',
      verb: (ctx, { bytes, headers }) => take(ctx, bytes, headers),
      answer: (answer: IngestAnswer) => answer,
      errors: ingestErrors,
      describes,
    }),
  );
}
