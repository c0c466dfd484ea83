import type { DecisionModule } from '../../src/modules/handshake/decision-modules.js';
import { REQUESTS_PER_MINUTE } from '../../src/modules/quotas/limits.js';
import type { RateLimit } from '../rate-limit.js';

export const HANDSHAKE_PATH = '/api/v1/handshake';

/** The endpoint of one module, which the handshake replaces. */
export const decisionPath = (module: DecisionModule): string => `/api/v1/${module}/decision`;

/** One bucket a key for the handshake and all decision endpoints (docs/rest.md, Limits). */
export const LIMIT: RateLimit = { bucket: 'decisions', perMinute: REQUESTS_PER_MINUTE };
