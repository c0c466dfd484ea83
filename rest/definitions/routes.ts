import { keyOf } from '../../src/modules/access/guard.js';
import type { DecisionMeter } from '../../src/modules/handshake/decision-meter.js';
import type { HandshakeService } from '../../src/modules/handshake/handshake.service.js';
import { REQUESTS_PER_MINUTE } from '../../src/modules/quotas/limits.js';
import { serverKey } from '../callers.js';
import { taggedAnswer } from '../face/etag.js';
import { handshakeErrors } from '../handshake/errors.js';
import { DECISION_CACHE } from '../handshake/routes.js';
import { type Route, route } from '../route.js';
import { getDefinitions } from './descriptions.js';

/** docs/rest.md, Definitions: what servers need to make decisions in their own process. */
export const definitionRoutes = (handshake: HandshakeService, meter: DecisionMeter): Route[] => [
  route({
    method: 'GET',
    path: '/api/v1/switch/definitions',
    limit: { bucket: 'decisions', perMinute: REQUESTS_PER_MINUTE },
    caller: serverKey,
    scope: 'definitions',
    runs: 'own',
    takesPass: true,
    verb: async (ctx, { isRepeat }) => {
      const actor = keyOf(ctx, 'definitions');
      if (!isRepeat) await meter.admit(actor);
      return handshake.definitions(actor);
    },
    answer: (definitions, request) => taggedAnswer(definitions, DECISION_CACHE, request),
    errors: handshakeErrors,
    describes: getDefinitions,
  }),
];
