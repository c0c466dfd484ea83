import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { storableText } from '../../../kernel/text.js';
import type { Flag } from '../flags/flag.entity.js';
import type { FlagService } from '../flags/flag.service.js';
import { appendFlagVersion, flagRecord } from '../flags/flag-history.js';
import { switchFailure } from '../switch.errors.js';
import { evidenceUrl } from './halt-request.js';

/** Halts and resumes flags for a person; automation uses the halt webhook. */
export class FlagHaltService {
  constructor(
    private readonly flags: FlagService,
    private readonly events: EventLog,
  ) {}

  /** Makes the flag serve its default. Halting a halted flag changes nothing. Fails with `flag_not_found`, `halt_reason_required`. */
  async halt(ctx: Context, input: { flagId: string; reason: string; evidenceUrl?: string | null }): Promise<Flag> {
    const { flag, project } = await this.flags.locked(ctx, 'switch.flag.halt', input.flagId);
    const reason = storableText(input.reason);
    if (reason === '') throw switchFailure('halt_reason_required');
    if (flag.haltedAt) return flag;
    const before = flagRecord(flag);
    flag.haltedAt = ctx.now();
    flag.haltReason = reason;
    flag.haltEvidenceUrl = evidenceUrl(input.evidenceUrl);
    appendFlagVersion(ctx, flag, 'halted', reason);
    this.events.emit(ctx, 'switch.flag.halted', {
      project,
      environment: flag.environment,
      object: { type: 'flag', id: flag.id },
      data: {
        flag_id: flag.id,
        key: flag.key,
        version: flag.currentVersion,
        reason,
        evidence_url: flag.haltEvidenceUrl,
        key_id: null,
      },
      before,
      after: flagRecord(flag),
    });
    return flag;
  }

  /** Lets the rules decide again. Resuming a flag that isn't halted changes nothing. Fails with `flag_not_found`. */
  async resume(ctx: Context, input: { flagId: string; note?: string | null }): Promise<Flag> {
    const { flag, project } = await this.flags.locked(ctx, 'switch.flag.resume', input.flagId);
    if (!flag.haltedAt) return flag;
    const before = flagRecord(flag);
    const note = typeof input.note === 'string' ? storableText(input.note) : null;
    flag.haltedAt = null;
    flag.haltReason = null;
    flag.haltEvidenceUrl = null;
    appendFlagVersion(ctx, flag, 'resumed', note);
    this.events.emit(ctx, 'switch.flag.resumed', {
      project,
      environment: flag.environment,
      object: { type: 'flag', id: flag.id },
      data: { flag_id: flag.id, key: flag.key, version: flag.currentVersion, note },
      before,
      after: flagRecord(flag),
    });
    return flag;
  }
}
