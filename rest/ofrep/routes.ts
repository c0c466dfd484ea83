import type { KeyActor } from '../../src/kernel/actor.js';
import type { Context } from '../../src/kernel/context.js';
import { storableJson } from '../../src/kernel/text.js';
import { type MaybePromise, thenMaybe } from '../../src/kernel/values/maybe-promise.js';
import { keyOf } from '../../src/modules/access/guard.js';
import type { DecisionMeter } from '../../src/modules/handshake/decision-meter.js';
import type { HandshakeService } from '../../src/modules/handshake/handshake.service.js';
import { isOfrepFailure, readOfrepContext } from '../../src/modules/handshake/ofrep.js';
import type { StreamTickets } from '../../src/modules/handshake/streams/stream-tickets.js';
import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import { switchFailure } from '../../src/modules/switch/switch.errors.js';
import type { Body } from '../body.js';
import { judged } from '../body-shapes.js';
import { projectKey } from '../callers.js';
import { taggedAnswer } from '../face/etag.js';
import { DECISION_CACHE } from '../handshake/routes.js';
import { type RestRequest, type Route, route } from '../route.js';
import { ofrepFailureAnswer, ofrepSuccessAnswer } from './bodies.js';
import { evaluateFlag, evaluateFlags } from './descriptions.js';
import { ofrepErrors } from './errors.js';
import { withEventStreams } from './event-streams.js';
import { EvaluationBody } from './schemas.js';

/** OpenFeature Remote Evaluation Protocol: any OpenFeature SDK can evaluate the project's flags with it. */
export const ofrepRoutes = (handshake: HandshakeService, meter: DecisionMeter, tickets: StreamTickets): Route[] => {
  const admitted = (ctx: Context, { key, isRepeat }: RestRequest): MaybePromise<KeyActor> => {
    const actor = keyOf(ctx, 'decide');
    if (key?.disabledModules.includes('switch')) throw switchFailure('switch_disabled', { reason: 'module_disabled' });
    return thenMaybe(isRepeat ? undefined : meter.admit(actor), () => actor);
  };
  return [
    route({
      method: 'POST',
      path: '/ofrep/v1/evaluate/flags',
      caller: projectKey,
      scope: 'decide',
      takesPass: true,
      body: judged(EvaluationBody, BODY_CAPS.context, bodyValue),
      runs: 'own',
      verb: (ctx, request) => {
        const context = readOfrepContext(request.body);
        if (isOfrepFailure(context)) return context;
        return thenMaybe(admitted(ctx, request), (actor) =>
          thenMaybe(handshake.ofrepAll(actor, JSON.stringify(request.body), context), (found) =>
            withEventStreams(found, actor.keyId, tickets),
          ),
        );
      },
      answer: (found, request) =>
        'etag' in found ? taggedAnswer(found, DECISION_CACHE, request) : ofrepFailureAnswer(found),
      errors: ofrepErrors,
      fast: true,
      describes: evaluateFlags,
    }),
    route({
      method: 'POST',
      path: '/ofrep/v1/evaluate/flags/:key',
      caller: projectKey,
      scope: 'decide',
      body: judged(EvaluationBody, BODY_CAPS.context, bodyValue),
      runs: 'own',
      verb: (ctx, request) => {
        const key = request.params.key ?? '';
        const context = readOfrepContext(request.body);
        if (isOfrepFailure(context)) return { key, ...context };
        return thenMaybe(admitted(ctx, request), (actor) => handshake.ofrepOne(actor, key, context));
      },
      answer: (found) => (isOfrepFailure(found) ? ofrepFailureAnswer(found) : ofrepSuccessAnswer(found)),
      errors: ofrepErrors,
      fast: true,
      describes: evaluateFlag,
    }),
  ];
};

const bodyValue = (body: Body): unknown => (body.malformed ? null : storableJson(body.value));
