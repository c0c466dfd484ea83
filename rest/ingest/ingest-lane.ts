import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from '../../src/kernel/bodies/body-budget.js';
import { RequestBytes } from '../../src/kernel/bodies/request-bytes.js';
import type { Transactions } from '../../src/kernel/transactions.js';
import type { IngestionService } from '../../src/modules/ingest/intake/ingestion.service.js';
import type { Counters } from '../../src/storage/shared/counters.js';
import { isPlain, type Lane, type LaneParts, openKey, runLane, sendFreshJson } from '../lane.js';
import { countRequest } from '../rate-limit.js';
import { ingestErrors } from './errors.js';
import { INGEST_LIMIT, ingestPaths } from './paths.js';

/** What the lane needs from the application. */
export interface IngestLaneParts extends LaneParts {
  readonly counters: Counters;
  readonly tx: Transactions;
  readonly ingestion: IngestionService;
  readonly maxBodyBytes: number;
  readonly bodies: BodyBudget;
  addressOf(message: IncomingMessage): string;
}

/** Larger bodies take so long that the common way's share of it is small. */
const LARGEST_BODY_BYTES = 1024 * 1024;

/**
 * Takes in operations of keys that are known and whose project lists no origins or addresses, when the body is of a moderate size that
 * was announced, and not compressed. The rest takes the common way.
 */
export function ingestLane(parts: IngestLaneParts): Lane {
  const { ingestion, maxBodyBytes, counters, tx } = parts;
  const paths = new Map(ingestPaths(ingestion).map((row) => [row.path, row]));
  const largest = Math.min(LARGEST_BODY_BYTES, maxBodyBytes);
  return (message, response) => {
    if (message.method !== 'POST') return false;
    const row = paths.get(message.url ?? '');
    if (!row || !isPlain(message, largest)) return false;
    const key = openKey(parts.keys, message, 'ingest');
    if (!key) return false;
    const route = { method: 'POST', path: row.path, errors: ingestErrors };
    runLane(parts, message, response, route, async (headers) => {
      await countRequest(counters, INGEST_LIMIT, key.secret);
      const requestId = headers[1] as string;
      const ctx = tx.reader({ actor: key.standing.actor, requestId, address: parts.addressOf(message) });
      const holding = parts.bodies.open(key.standing.actor.projectId);
      const bytes = () => new RequestBytes(message, largest, holding);
      try {
        const { status, body } = await row.take(ctx, bytes, message.headers);
        sendFreshJson(response, status, headers, body);
      } finally {
        holding.close();
      }
    }).catch(() => response.destroy());
    return true;
  };
}
