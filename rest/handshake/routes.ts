import type { Context } from '../../src/kernel/context.js';
import { keyOf } from '../../src/modules/access/guard.js';
import type { Answer as Decisions } from '../../src/modules/handshake/answer.js';
import type { DecisionMeter } from '../../src/modules/handshake/decision-meter.js';
import { DECISION_MODULES } from '../../src/modules/handshake/decision-modules.js';
import type { HandshakeService } from '../../src/modules/handshake/handshake.service.js';
import { projectKey } from '../callers.js';
import type { Description } from '../openapi/description.js';
import { type RestRequest, type Route, route } from '../route.js';
import { decisionsAnswer } from './answers.js';
import { decision, handshake as described } from './descriptions.js';
import { handshakeErrors } from './errors.js';
import { decisionPath, HANDSHAKE_PATH, LIMIT } from './paths.js';
import { callerOf, modulesOf } from './requests.js';

/** docs/rest.md, Handshake: the handshake, and the endpoints it replaces. */
export const handshakeRoutes = (handshake: HandshakeService, meter: DecisionMeter): Route[] => {
  const decided = (
    path: string,
    aliases: string[],
    describes: Description<'quota_exceeded'>,
    verb: (ctx: Context, request: RestRequest) => Promise<Decisions>,
  ) =>
    route({
      method: 'GET',
      path,
      aliases,
      limit: LIMIT,
      caller: projectKey,
      body: null,
      runs: 'own',
      verb,
      answer: decisionsAnswer,
      errors: handshakeErrors,
      describes,
    });
  return [
    decided(HANDSHAKE_PATH, ['/api/handshake'], described, async (ctx, { query, message }) => {
      const actor = keyOf(ctx, 'decide');
      await meter.admit(actor);
      return handshake.handshake(actor, message.url ?? '', modulesOf(query), () => callerOf(query));
    }),
    ...DECISION_MODULES.map((module) =>
      decided(decisionPath(module), [`/api/${module}/decision`], decision(module), async (ctx, { query, message }) => {
        const actor = keyOf(ctx, 'decide');
        await meter.admit(actor);
        return handshake.decision(actor, message.url ?? '', module, () => callerOf(query));
      }),
    ),
  ];
};
