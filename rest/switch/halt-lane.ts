import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from '../../src/kernel/bodies/body-budget.js';
import { RequestBytes } from '../../src/kernel/bodies/request-bytes.js';
import type { Transactions } from '../../src/kernel/transactions.js';
import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import type { HaltWebhook } from '../../src/modules/switch/halting/halt-webhook.js';
import { readJson } from '../body.js';
import { isPlain, type Lane, type LaneParts, openKey, runLane, sendFreshJson } from '../lane.js';
import { flagAnswer, haltBody } from './bodies.js';
import { switchErrors } from './errors.js';
import { HALT_PATHS } from './paths.js';

/** What the lane needs from the application. */
export interface HaltLaneParts extends LaneParts {
  readonly tx: Transactions;
  readonly haltWebhook: HaltWebhook;
  readonly maxBodyBytes: number;
  readonly bodies: BodyBudget;
  addressOf(message: IncomingMessage): string;
}

/**
 * Halts flags for keys that are known, have no limit of their own, and whose project lists no origins or addresses, when the body is of
 * a small size that was announced, and not compressed. The rest takes the common way.
 */
export function haltLane(parts: HaltLaneParts): Lane {
  const { haltWebhook, tx, addressOf } = parts;
  const largest = Math.min(BODY_CAPS.command, parts.maxBodyBytes);
  const route = { method: 'POST', path: HALT_PATHS[0], errors: switchErrors };
  return (message, response) => {
    if (message.method !== 'POST' || !HALT_PATHS.includes(message.url ?? '') || !isPlain(message, largest))
      return false;
    const key = openKey(parts.keys, message, 'halt');
    if (!key || key.standing.rateLimit !== null) return false;
    runLane(parts, message, response, route, async (headers) => {
      const holding = parts.bodies.open(key.standing.actor.projectId);
      const body = await readJson(() => new RequestBytes(message, largest, holding)).finally(() => holding.close());
      const ctx = tx.reader({
        actor: key.standing.actor,
        requestId: headers[1] as string,
        address: addressOf(message),
      });
      const flag = await haltWebhook.halt(ctx, key.standing, () => haltBody(body));
      sendFreshJson(response, 200, headers, flagAnswer(flag));
    }).catch(() => response.destroy());
    return true;
  };
}
