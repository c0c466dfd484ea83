import type { Static } from 'typebox';
import type { KeyActor } from '../../src/kernel/actor.js';
import { bodyFailure } from '../../src/kernel/bodies/body-failures.js';
import type { Context } from '../../src/kernel/context.js';
import { storableJson } from '../../src/kernel/text.js';
import { keyOf } from '../../src/modules/access/guard.js';
import type { DecisionMeter } from '../../src/modules/handshake/decision-meter.js';
import { DECISION_MODULES } from '../../src/modules/handshake/decision-modules.js';
import type { Answer as Decisions, HandshakeService } from '../../src/modules/handshake/handshake.service.js';
import { BODY_CAPS, REQUESTS_PER_MINUTE } from '../../src/modules/quotas/limits.js';
import { shaped } from '../body-shapes.js';
import { projectKey } from '../callers.js';
import { taggedAnswer } from '../etag.js';
import type { Description } from '../openapi/description.js';
import { type RestRequest, type Route, route } from '../route.js';
import { decision, handshake as described, handshakeByBody } from './descriptions.js';
import { handshakeErrors } from './errors.js';
import { callerOf, callerOfBody, modulesOf, modulesOfBody } from './requests.js';
import { HandshakeBody } from './schemas.js';

/** The cache rule of decisions: kept, but asked for again each time. */
export const DECISION_CACHE = 'private, no-cache';

/** docs/rest.md, Handshake: the handshake, by its address or a body, and the endpoints of single modules, which it replaces. */
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
  const byBody = route({
    method: 'POST',
    path: '/api/v1/handshake',
    aliases: ['/api/handshake'],
    limit: { bucket: 'decisions', perMinute: REQUESTS_PER_MINUTE },
    caller: projectKey,
    scope: 'decide',
    body: shaped(HandshakeBody, BODY_CAPS.context, () => bodyFailure('invalid_body')),
    runs: 'own',
    verb: async (ctx, request) => {
      const actor = keyOf(ctx, 'decide');
      await meter.admit(actor);
      const body = storableJson(request.body) as Static<typeof HandshakeBody>;
      return handshake.handshake(
        actor,
        `POST ${JSON.stringify(body)}`,
        () => modulesOfBody(body),
        () => callerOfBody(body),
      );
    },
    answer: (decisions, request) => taggedAnswer(decisions, DECISION_CACHE, request),
    errors: handshakeErrors,
    fast: true,
    describes: handshakeByBody,
  });
  return [
    byBody,
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
