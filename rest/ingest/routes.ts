import type { IngestionService } from '../../src/modules/ingest/intake/ingestion.service.js';
import { projectKey } from '../callers.js';
import { type Route, route } from '../route.js';
import type { IngestAnswer } from './bodies.js';
import { ingestErrors } from './errors.js';
import { INGEST_LIMIT, ingestPaths } from './paths.js';

/** Service interface 4.9, 4.10. */
export function ingestRoutes(ingestion: IngestionService, maxBodyBytes: number): Route[] {
  return ingestPaths(ingestion, maxBodyBytes).map(({ path, describes, take }) =>
    route({
      method: 'POST',
      path,
      limit: INGEST_LIMIT,
      caller: projectKey,
      body: 'stream',
      runs: 'own',
      verb: (ctx, { message }) => take(ctx, message),
      answer: (answer: IngestAnswer) => answer,
      errors: ingestErrors,
      describes,
    }),
  );
}
