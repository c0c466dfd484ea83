import type { Context } from '../../../kernel/context.js';
import { accessFailure } from '../../access/access.errors.js';
import { keyOf } from '../../access/guard.js';
import type { KeyStanding } from '../../access/keys/key-standing.js';
import { switchFailure } from '../switch.errors.js';
import { readHaltRequest } from './halt-request.js';
import type { HaltWriter } from './halt-writer.js';
import type { HaltedFlag } from './halted-flag.js';

/** The kill switch for automation (docs/rest.md, Flags). */
export class HaltWebhook {
  constructor(private readonly writer: HaltWriter) {}

  /**
   * Halts a flag with a project key. Checks in order: scope of the key, the body, `switch_disabled`, `flag_not_found`. A halted flag is
   * returned unchanged.
   */
  async halt(ctx: Context, key: KeyStanding | null, body: Readonly<Record<string, unknown>>): Promise<HaltedFlag> {
    const actor = keyOf(ctx, 'halt');
    if (!key) throw accessFailure('missing_api_key');
    const request = readHaltRequest(body, actor.environment);
    if (key.disabledModules.includes('switch')) throw switchFailure('switch_disabled', { reason: 'module_disabled' });
    if (key.billingSuspended) throw switchFailure('switch_disabled', { reason: 'billing_suspended' });
    return this.writer.halt({ actor, requestId: ctx.requestId, address: ctx.address }, request);
  }
}
