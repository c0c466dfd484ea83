import type { KeyActor } from '../../src/kernel/actor.js';
import type { Context } from '../../src/kernel/context.js';
import { keyOf } from '../../src/modules/access/guard.js';
import type { Answer as Decisions } from '../../src/modules/handshake/answer.js';
import type { DecisionMeter } from '../../src/modules/handshake/decision-meter.js';
import { DECISION_MODULES } from '../../src/modules/handshake/decision-modules.js';
import type { HandshakeService } from '../../src/modules/handshake/handshake.service.js';
import { REQUESTS_PER_MINUTE } from '../../src/modules/quotas/limits.js';
import { projectKey } from '../callers.js';
import { taggedAnswer } from '../etag.js';
import type { Description } from '../openapi/description.js';
import { type RestRequest, type Route, route } from '../route.js';
import { decision, handshake as described } from './descriptions.js';
import { handshakeErrors } from './errors.js';
import { callerOf, modulesOf } from './requests.js';

/** The cache rule of decisions: kept, but asked for again each time. */
export const DECISION_CACHE = 'private, no-cache';

/** docs/rest.md, Handshake: the handshake, and the endpoints of single modules, which it replaces. */
export const handshakeRoutes = (handshake: HandshakeService, meter: DecisionMeter): Route[] => {
  const decided = (
    name: string,
    describes: Description<'quota_exceeded'>,
    decide: (actor: KeyActor, request: RestRequest) => Promise<Decisions>,
  ) =>
    route({
      method: 'GET',
      path: `/api/v1/${name}`,
      aliases: [`/api/${name}`],
      // One bucket a key for the handshake and all decision endpoints.
      limit: { bucket: 'decisions', perMinute: REQUESTS_PER_MINUTE },
      caller: projectKey,
      scope: 'decide',
      body: null,
      runs: 'own',
      verb: async (ctx: Context, request: RestRequest) => {
        const actor = keyOf(ctx, 'decide');
        await meter.admit(actor);
        return decide(actor, request);
      },
      answer: (decisions, request) => taggedAnswer(decisions, DECISION_CACHE, request),
      errors: handshakeErrors,
      fast: true,
      describes,
    });
  return [
    decided('handshake', described, (actor, request) =>
      handshake.handshake(
        actor,
        request.message.url ?? '',
        () => modulesOf(request.query),
        () => callerOf(request.query),
      ),
    ),
    ...DECISION_MODULES.map((module) =>
      decided(`${module}/decision`, decision(module), (actor, request) =>
        handshake.decision(actor, request.message.url ?? '', module, () => callerOf(request.query)),
      ),
    ),
  ];
};
