import type { Static } from 'typebox';
import type { KeyActor } from '../../src/kernel/actor.js';
import { bodyFailure } from '../../src/kernel/bodies/body-failures.js';
import type { Context } from '../../src/kernel/context.js';
import { storableJson } from '../../src/kernel/text.js';
import { type MaybePromise, thenMaybe } from '../../src/kernel/values/maybe-promise.js';
import { keyOf } from '../../src/modules/access/guard.js';
import type { DecisionMeter } from '../../src/modules/handshake/decision-meter.js';
import { DECISION_MODULES } from '../../src/modules/handshake/decision-modules.js';
import type { Answer as Decisions, HandshakeService } from '../../src/modules/handshake/handshake.service.js';
import type { StreamTickets } from '../../src/modules/handshake/streams/stream-tickets.js';
import { BODY_CAPS, REQUESTS_PER_MINUTE } from '../../src/modules/quotas/limits.js';
import { shaped } from '../body-shapes.js';
import { projectKey } from '../callers.js';
import { taggedAnswer } from '../face/etag.js';
import type { Answer } from '../face/send.js';
import type { Description } from '../openapi/description.js';
import { type RestRequest, type Route, route } from '../route.js';
import { decision, handshake as described, handshakeByBody } from './descriptions.js';
import { handshakeErrors } from './errors.js';
import { callerOf, callerOfBody, modulesOf, modulesOfBody } from './requests.js';
import { HandshakeBody } from './schemas.js';

export const STREAM_PATH = '/api/v1/stream';
/** The cache rule of decisions: stored, but revalidated each time. */
export const DECISION_CACHE = 'private, no-cache';

interface Answered {
  readonly actor: KeyActor;
  readonly decisions: Decisions;
}

type Decide = (actor: KeyActor, request: RestRequest) => MaybePromise<Decisions>;

/** docs/rest.md, Handshake: the handshake by GET or POST, and the single-module endpoints it replaces. */
export const handshakeRoutes = (handshake: HandshakeService, meter: DecisionMeter, tickets: StreamTickets): Route[] => {
  /** The response with the stream for later changes (path and query), and whether some changes come without a notice. */
  const streamed = ({ actor, decisions }: Answered, request: RestRequest): Answer => {
    const stream = `${STREAM_PATH}?ticket=${tickets.of(actor.keyId).ticket}&last_event_id=${decisions.position}`;
    return taggedAnswer(decisions, DECISION_CACHE, request, {
      'quarterdeck-stream': stream,
      ...(decisions.timed ? { 'quarterdeck-timed': '1' } : {}),
    });
  };
  const decided = (ctx: Context, request: RestRequest, decide: Decide): MaybePromise<Answered> => {
    const actor = keyOf(ctx, 'decide');
    const admitted = request.isRepeat ? undefined : meter.admit(actor);
    return thenMaybe(admitted, () => thenMaybe(decide(actor, request), (decisions) => ({ actor, decisions })));
  };
  const shared = {
    // One bucket per key for the handshake and all decision endpoints.
    limit: { bucket: 'decisions', perMinute: REQUESTS_PER_MINUTE },
    caller: projectKey,
    scope: 'decide',
    runs: 'own',
    takesPass: true,
    errors: handshakeErrors,
    fast: true,
  } as const;
  const byAddress = (
    name: string,
    describes: Description<'quota_exceeded'>,
    decide: Decide,
    answer: (answered: Answered, request: RestRequest) => Answer,
  ) =>
    route({
      ...shared,
      method: 'GET',
      path: `/api/v1/${name}`,
      aliases: [`/api/${name}`],
      verb: (ctx, request) => decided(ctx, request, decide),
      answer,
      describes,
    });
  const byBody = route({
    ...shared,
    method: 'POST',
    path: '/api/v1/handshake',
    aliases: ['/api/handshake'],
    body: shaped(HandshakeBody, BODY_CAPS.context, () => bodyFailure('invalid_body')),
    verb: (ctx, request) =>
      decided(ctx, request, (actor) => {
        const body = storableJson(request.body) as Static<typeof HandshakeBody>;
        return handshake.handshake(
          actor,
          `POST ${JSON.stringify(body)}`,
          () => modulesOfBody(body),
          () => callerOfBody(body),
        );
      }),
    answer: streamed,
    describes: handshakeByBody,
  });
  return [
    byBody,
    byAddress(
      'handshake',
      described,
      (actor, request) =>
        handshake.handshake(
          actor,
          request.message.url ?? '',
          () => modulesOf(request.query),
          () => callerOf(request.query),
        ),
      streamed,
    ),
    ...DECISION_MODULES.map((module) =>
      byAddress(
        `${module}/decision`,
        decision(module),
        (actor, request) => handshake.decision(actor, request.message.url ?? '', module, () => callerOf(request.query)),
        ({ decisions }, request) => taggedAnswer(decisions, DECISION_CACHE, request),
      ),
    ),
  ];
};
