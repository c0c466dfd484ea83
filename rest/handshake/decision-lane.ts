import type { ServerResponse } from 'node:http';
import { announcesBody } from '../../src/kernel/bodies/inflate.js';
import type { Answer } from '../../src/modules/handshake/answer.js';
import type { DecisionMeter } from '../../src/modules/handshake/decision-meter.js';
import { DECISION_MODULES, type DecisionModule } from '../../src/modules/handshake/decision-modules.js';
import type { HandshakeService } from '../../src/modules/handshake/handshake.service.js';
import type { Counters } from '../../src/storage/shared/counters.js';
import { matchesEntityTag } from '../etag.js';
import { type Lane, type LaneParts, openKey, runLane, sendJson } from '../lane.js';
import { countRequest } from '../rate-limit.js';
import { handshakeErrors } from './errors.js';
import { decisionPath, HANDSHAKE_PATH, LIMIT } from './paths.js';

/** What the lane needs from the application. */
export interface DecisionLaneParts extends LaneParts {
  readonly counters: Counters;
  readonly handshake: HandshakeService;
  readonly meter: DecisionMeter;
}

const PATHS = new Map<string, DecisionModule | 'handshake'>([
  [HANDSHAKE_PATH, 'handshake'],
  ...DECISION_MODULES.map((module): [string, DecisionModule] => [decisionPath(module), module]),
]);

/**
 * Answers decision requests whose answer lies ready: SDKs poll these routes. The lane takes a request only when it has no body, its key
 * and its answer are known and the key's project lists no origins or addresses; the rest, first requests and refusals of keys among it,
 * takes the common way.
 */
export function decisionLane(parts: DecisionLaneParts): Lane {
  return (message, response) => {
    if (message.method !== 'GET' || announcesBody(message)) return false;
    const url = message.url ?? '';
    const question = url.indexOf('?');
    const path = question < 0 ? url : url.slice(0, question);
    const module = PATHS.get(path);
    if (module === undefined) return false;
    const key = openKey(parts.keys, message, 'decide');
    if (!key) return false;
    const { actor } = key.standing;
    if (!parts.meter.admitsAtOnce(actor)) return false;
    const answer = parts.handshake.known(actor, module, url);
    if (!answer) return false;
    const route = { method: 'GET', path, errors: handshakeErrors };
    runLane(parts, message, response, route, async (headers) => {
      await countRequest(parts.counters, LIMIT, key.secret);
      await parts.meter.admit(actor);
      send(response, headers, answer, message.headers['if-none-match']);
    }).catch(() => response.destroy());
    return true;
  };
}

function send(response: ServerResponse, shared: string[], { body, etag }: Answer, known: string | undefined): void {
  const headers = [...shared, 'etag', etag, 'cache-control', 'private, no-cache'];
  if (matchesEntityTag(known, etag)) response.writeHead(304, headers).end();
  else sendJson(response, 200, headers, body);
}
