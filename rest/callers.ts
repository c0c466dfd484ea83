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

/** The caller as identified by the face; `key` has the project's settings for callers with a key. */
export interface Identified {
  actor: Actor;
  key: KeyStanding | null;
}

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

/** A way to authenticate. */
export interface CallerGate<Scheme = 'accessToken' | 'projectKey' | 'metricsToken' | null> {
  /** Browsers on other origins may call, so responses carry CORS headers. */
  readonly crossOrigin: boolean;
  /** Its name among the security schemes of openapi.json; null if there is none. */
  readonly scheme: Scheme;
  /** The key may be in the URL as `api_key`, and a JSON body may be sent as text, because beacons can't set headers. */
  readonly beacons?: true;
  /** The request's key, which rate limits count by; undefined for callers without one. */
  secretOf?(message: IncomingMessage): string | undefined;
  /** Whether a ticket for a key works like the key itself. */
  readonly orTicket?: true;
  /** How {@link identify}, the key's own limit and its scope check can fail. */
  readonly failures: readonly FaceCode[];
  identify(sources: CallerSources, request: CallerRequest): Identified | Promise<Identified>;
}

const JWT = /^[^.]*\.[^.]*\.[^.]*$/;

/** A bearer access token. Fails with `unauthenticated` if nothing looks like a JWT, otherwise with `invalid_token`. */
export const bearerToken: CallerGate<'accessToken'> = {
  crossOrigin: false,
  scheme: 'accessToken',
  failures: ['unauthenticated', 'invalid_token'],
  async identify(sources, { message, requestId, address }) {
    const token = bearerTokenOf(message.headers.authorization);
    if (!token || !JWT.test(token)) throw commonFailure('unauthenticated');
    const actor = await sources.identifyToken(token, { requestId, address });
    // A new member's session can only choose a password, through GraphQL.
    if (actor?.kind !== 'user') throw commonFailure('invalid_token');
    return { actor, key: null };
  },
};

/**
 * A project key in `x-api-key`, from an origin or address that its project allows (docs/rest.md, Rules for every route). Fails with
 * `missing_api_key`, `invalid_api_key`, `unauthorized_origin`, `unauthorized_address`.
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

/** Like {@link projectKey}, for servers only: no page of another origin may read the response. */
export const serverKey: CallerGate<'projectKey'> = { ...projectKey, crossOrigin: false };

/**
 * Like {@link projectKey}, with the key in the query parameter `api_key` if the header is missing: `navigator.sendBeacon` can't set
 * headers, and a page being closed has no alternative. Only for routes that ingest data: no response is worth a key in a proxy's log.
 */
export const beaconKey: CallerGate<'projectKey'> = {
  ...projectKey,
  beacons: true,
  secretOf: keyAnywhere,
  identify: (sources, request) => identifyKey(sources, request, keyAnywhere(request.message)),
};

const TICKET = /[?&]ticket=([\w.-]*)/;

/**
 * A project key, or, for clients that can't send headers, such as the browsers' `EventSource`, a ticket in the URL. A key takes precedence.
 * Fails like {@link projectKey} and with `invalid_ticket`.
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

/** Anyone: health checks and signed links. */
export const anybody: CallerGate<null> = {
  crossOrigin: false,
  scheme: null,
  failures: [],
  identify: () => ({ actor: { kind: 'anonymous' }, key: null }),
};

/** Anyone, from pages of any origin too. */
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

/** Fails with the error of {@link refusedPlace}. */
function identifiedBy(key: KeyStanding, origin: string | undefined, address: string): Identified {
  const refusal = refusedPlace(key, origin, address);
  if (refusal) throw accessFailure(refusal);
  return { actor: key.actor, key };
}
