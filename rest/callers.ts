import type { IncomingMessage } from 'node:http';
import type { Actor } from '../src/kernel/actor.js';
import { commonFailure } from '../src/kernel/errors.js';
import { bearerTokenOf } from '../src/kernel/requests/bearer.js';
import { accessFailure } from '../src/modules/access/access.errors.js';
import type { KeyDirectory } from '../src/modules/access/keys/key-directory.js';
import { type KeyStanding, refusedPlace } from '../src/modules/access/keys/key-standing.js';
import type { KeysById } from '../src/modules/access/keys/keys-by-id.js';
import type { StreamTickets } from '../src/modules/handshake/streams/stream-tickets.js';
import type { FaceCode } from './face/error-table.js';

/** A caller as the face settled it; `key` carries the project's settings for callers that came with a key. */
export interface Identified {
  actor: Actor;
  key: KeyStanding | null;
}

/** What callers need from the application. */
export interface CallerSources {
  readonly keys: KeyDirectory;
  readonly keysById: KeysById;
  readonly tickets: StreamTickets;
  identifyToken(token: string, request: { requestId: string; address: string }): Promise<Actor | null>;
}

export interface CallerRequest {
  readonly message: IncomingMessage;
  readonly requestId: string;
  readonly address: string;
}

/** A way in which a caller proves itself. */
export interface CallerGate<Scheme = 'accessToken' | 'projectKey' | 'metricsToken' | null> {
  /** Browsers of other origins may call, so answers carry CORS headers. */
  readonly crossOrigin: boolean;
  /** Its name among the security schemes of openapi.json; null when nothing is to be proved. */
  readonly scheme: Scheme;
  /** The key may stand in the address as `api_key`, and a body of JSON may call itself text, because beacons have no headers. */
  readonly beacons?: true;
  /** The key that came with a request, by which limits count; nothing where callers have none. */
  secretOf?(message: IncomingMessage): string | undefined;
  /** Whether a ticket of a key is as good as the key. */
  readonly orTicket?: true;
  /** With what {@link identify}, the key's own limit and the check of its scope can fail. */
  readonly failures: readonly FaceCode[];
  identify(sources: CallerSources, request: CallerRequest): Identified | Promise<Identified>;
}

const JWT = /^[^.]*\.[^.]*\.[^.]*$/;

/** A bearer access token. Fails with `unauthenticated` when there is none that looks like a JWT, else with `invalid_token`. */
export const bearerToken: CallerGate<'accessToken'> = {
  crossOrigin: false,
  scheme: 'accessToken',
  failures: ['unauthenticated', 'invalid_token'],
  async identify(sources, { message, requestId, address }) {
    const token = bearerTokenOf(message.headers.authorization);
    if (!token || !JWT.test(token)) throw commonFailure('unauthenticated');
    const actor = await sources.identifyToken(token, { requestId, address });
    // The session of a newcomer is good for choosing a password only, which GraphQL does.
    if (actor?.kind !== 'user') throw commonFailure('invalid_token');
    return { actor, key: null };
  },
};

/**
 * A project key in `x-api-key`, called from an origin or address that its project allows (docs/rest.md, Rules for every route).
 * Fails with `missing_api_key`, `invalid_api_key`, `unauthorized_origin`, `unauthorized_address`.
 */
export const projectKey: CallerGate<'projectKey'> = {
  crossOrigin: true,
  scheme: 'projectKey',
  failures: [
    'missing_api_key',
    'invalid_api_key',
    'unauthorized_origin',
    'unauthorized_address',
    'insufficient_scope',
    'rate_limited',
  ],
  secretOf: keyInHeader,
  identify: (sources, request) => identifyKey(sources, request, keyInHeader(request.message)),
};

/** As {@link projectKey}, from servers alone: no page of another origin may read the answer. */
export const serverKey: CallerGate<'projectKey'> = { ...projectKey, crossOrigin: false };

/**
 * As {@link projectKey}, with the key in `api_key` of the query when the header has none: `navigator.sendBeacon` cannot set headers, and a
 * page that is going away has nothing else. Only for routes that take something in: no answer is worth a key in a proxy's log.
 */
export const beaconKey: CallerGate<'projectKey'> = {
  ...projectKey,
  beacons: true,
  secretOf: keyAnywhere,
  identify: (sources, request) => identifyKey(sources, request, keyAnywhere(request.message)),
};

const TICKET = /[?&]ticket=([\w.-]*)/;

/**
 * A project key, or where the caller can send no headers, as browsers' `EventSource` cannot, a ticket of one in the address. A key
 * counts before a ticket. Fails as {@link projectKey} and with `invalid_ticket`.
 */
export const keyOrTicket: CallerGate<'projectKey'> = {
  ...projectKey,
  orTicket: true,
  failures: [...projectKey.failures, 'invalid_ticket'],
  async identify(sources, request) {
    const { message, address } = request;
    const [, ticket] = TICKET.exec(message.url ?? '') ?? [];
    if (ticket === undefined || message.headers['x-api-key'] !== undefined)
      return projectKey.identify(sources, request);
    const keyId = sources.tickets.keyIdOf(ticket);
    const key = keyId && (await sources.keysById.find(keyId));
    if (!key) throw accessFailure('invalid_ticket');
    return identifiedBy(key, message.headers.origin, address);
  },
};

/** Anybody: health checks and signed links. */
export const anybody: CallerGate<null> = {
  crossOrigin: false,
  scheme: null,
  failures: [],
  identify: () => ({ actor: { kind: 'anonymous' }, key: null }),
};

/** Anybody, from pages of any origin too. */
export const anybodyAnywhere: CallerGate<null> = { ...anybody, crossOrigin: true };

function keyInHeader({ headers }: IncomingMessage): string | undefined {
  const secret = headers['x-api-key'];
  return typeof secret === 'string' && secret !== '' ? secret : undefined;
}

function keyAnywhere(message: IncomingMessage): string | undefined {
  const inHeader = keyInHeader(message);
  if (inHeader !== undefined) return inHeader;
  const [, query] = /\?([^#]*)/.exec(message.url ?? '') ?? [];
  return (query && new URLSearchParams(query).get('api_key')) || undefined;
}

function identifyKey(
  { keys }: CallerSources,
  { message, address }: CallerRequest,
  secret: string | undefined,
): Identified | Promise<Identified> {
  if (secret === undefined) throw accessFailure('missing_api_key');
  const { origin } = message.headers;
  const known = keys.known(secret);
  if (known) return identifiedBy(known, origin, address);
  return keys.find(secret).then((key) => {
    if (!key) throw accessFailure('invalid_api_key');
    return identifiedBy(key, origin, address);
  });
}

/** Fails as {@link refusedPlace} says. */
function identifiedBy(key: KeyStanding, origin: string | undefined, address: string): Identified {
  const refusal = refusedPlace(key, origin, address);
  if (refusal) throw accessFailure(refusal);
  return { actor: key.actor, key };
}
