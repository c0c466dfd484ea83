import type { Static } from 'typebox';
import type { Context } from '../../src/kernel/context.js';
import { STREAM_HEADERS } from '../../src/kernel/streams/sse.js';
import { keyOf } from '../../src/modules/access/guard.js';
import type { KeyScope } from '../../src/modules/access/keys/key-scopes.js';
import type { DecisionMeter } from '../../src/modules/handshake/decision-meter.js';
import type { StreamDialect } from '../../src/modules/handshake/streams/client-stream.js';
import type { ReadyStream, StreamOpener, StreamService } from '../../src/modules/handshake/streams/stream.service.js';
import type { StreamTickets } from '../../src/modules/handshake/streams/stream-tickets.js';
import { requestedModules } from '../../src/modules/handshake/streams/versions.js';
import { keyOrTicket, projectKey, serverKey } from '../callers.js';
import { faceErrors } from '../face/error-table.js';
import type { Answer } from '../face/send.js';
import { handshakeErrors } from '../handshake/errors.js';
import { STREAM_PATH } from '../handshake/routes.js';
import { type RestRequest, type Route, route } from '../route.js';
import { createTicket, openDefinitionStream, openFlagStream, openStream } from './descriptions.js';
import type { TicketAnswer } from './schemas.js';

/** Path of the stream in OpenFeature's format, which bulk evaluations return. */
export const OFREP_STREAM_PATH = '/ofrep/v1/stream';

/** docs/rest.md, Streams: change notices, and tickets for clients that can't send headers. */
export const streamRoutes = (streams: StreamService, tickets: StreamTickets, meter: DecisionMeter): Route[] => {
  const openerOf = (ctx: Context, request: RestRequest, scope: KeyScope): StreamOpener => ({
    actor: keyOf(ctx, scope),
    scope,
    position: lastEventIdOf(request),
    origin: request.headers.origin,
    address: request.address,
  });
  const opened = (dialect: StreamDialect, modules?: string) => async (ctx: Context, request: RestRequest) =>
    streams.open({
      ...openerOf(ctx, request, 'decide'),
      dialect,
      modules: requestedModules(modules ?? request.query.getAll('modules').join(',')),
    });
  const shared = { method: 'GET', caller: keyOrTicket, scope: 'decide', runs: 'own' } as const;
  return [
    route({
      ...shared,
      path: STREAM_PATH,
      verb: opened('modules'),
      answer: streamAnswer,
      errors: faceErrors,
      fast: true,
      describes: openStream,
    }),
    route({
      ...shared,
      path: OFREP_STREAM_PATH,
      verb: opened('ofrep', 'switch'),
      answer: streamAnswer,
      errors: faceErrors,
      fast: true,
      describes: openFlagStream,
    }),
    route({
      method: 'GET',
      path: '/api/v1/switch/definitions/stream',
      caller: serverKey,
      scope: 'definitions',
      runs: 'own',
      verb: async (ctx, request) => {
        const opener = openerOf(ctx, request, 'definitions');
        await meter.admit(opener.actor);
        return streams.openDefinitions(opener);
      },
      answer: streamAnswer,
      errors: handshakeErrors,
      describes: openDefinitionStream,
    }),
    route({
      method: 'POST',
      path: `${STREAM_PATH}/ticket`,
      caller: projectKey,
      scope: 'decide',
      runs: 'own',
      verb: async (ctx) => tickets.of(keyOf(ctx, 'decide').keyId),
      answer: ({ ticket, expiresAt }): Answer => {
        const url = `${STREAM_PATH}?ticket=${ticket}`;
        const body: Static<typeof TicketAnswer> = { ticket, expires_at: expiresAt.toISOString(), url };
        return { status: 200, body };
      },
      errors: faceErrors,
      fast: true,
      describes: createTicket,
    }),
  ];
};

const streamAnswer = (stream: ReadyStream): Answer => ({ status: 200, body: stream, headers: STREAM_HEADERS });

/** Where a client wants to continue: its header, which browsers send when they reconnect, takes precedence over its URL. */
function lastEventIdOf({ headers, query }: RestRequest): string | null {
  const sent = headers['last-event-id'];
  return typeof sent === 'string' && sent !== '' ? sent : query.get('last_event_id');
}
