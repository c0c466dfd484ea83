import type { Pool } from 'pg';
import type { EventLog } from '../../../events/event-log.js';
import type { Clock } from '../../../kernel/clock.js';
import { newPrefixedId, newUuid } from '../../../kernel/ids.js';
import { isStorable } from '../../../kernel/text.js';
import { usedUpSql } from '../../quotas/metering.js';
import { monthOf } from '../../quotas/month.js';
import { switchFailure } from '../switch.errors.js';
import { HaltGroups } from './halt-group.js';
import type { HaltRequest } from './halt-request.js';
import { FLAG_COLUMNS, type HaltCaller, type HaltedFlag } from './halted-flag.js';

const FIND = `select ${FLAG_COLUMNS} from flag f where project_id = $1 and environment = $2 and key = $3`;

/**
 * Halts the flag unless it is halted or the quota is used up, with its version and its event, in one statement:
 * concurrent calls queue on the row, and those that come second find the condition false. It answers one row. A flag
 * that was halted before the statement began is in it as it is; one that another call halted meanwhile is missing.
 */
export const HALT_SQL = `with gate as (
    select $13::boolean and ${usedUpSql('decisions', '$1', '$14')} as used_up
  ), halted as (
    update flag set halted_at = $4, halt_reason = $5, current_version = current_version + 1, updated_at = $4
     where project_id = $1 and environment = $2 and key = $3 and halted_at is null and not (select used_up from gate)
    returning *
  ), version as (
    insert into flag_version (id, flag_id, version_number, action, behaviour, actor_id, actor_email, note, created_at)
    select $6, id, current_version, 'halted',
           json_build_object('variants', variants, 'defaultVariant', default_variant, 'rules', rules),
           'system:halt-webhook', '', $5, $4
      from halted
  ), event as (
    insert into event_log (id, kind, organization_id, project_id, environment, object_type, object_id, actor_id,
                           actor_email, address, request_id, data, before, after, created_at)
    select $7, 'switch.flag.halted', $8, project_id, environment, 'flag', id, 'system:halt-webhook', '', $9, $10,
           jsonb_build_object('flag_id', id, 'key', key, 'version', current_version, 'reason', $5::text,
                              'evidence_url', $11::text),
           jsonb_build_object('haltedAt', null, 'haltReason', null, 'currentVersion', current_version - 1),
           jsonb_build_object('haltedAt', $4::timestamptz, 'haltReason', $5::text, 'currentVersion', current_version,
                              'keyId', $12::text, 'evidenceUrl', $11::text),
           $4
      from halted
  )
  select gate.used_up as "usedUp", found.* from gate left join (
    select ${FLAG_COLUMNS}, true as "haltedNow" from halted f
    union all
    select ${FLAG_COLUMNS}, false from flag f
     where project_id = $1 and environment = $2 and key = $3 and halted_at is not null
  ) found on true`;

type HaltRow = { usedUp: boolean; haltedNow: boolean | null } & (HaltedFlag | { id: null });

/**
 * Halts flags on behalf of automation (service interface 4.8). Hot path: halts asked for at the same time share a statement; a flag
 * that somebody else is changing just now is waited for by itself.
 */
export class FlagHalting {
  private readonly groups: HaltGroups;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly events: EventLog,
  ) {
    this.groups = new HaltGroups(pool, clock, (projectId) => events.announce('switch.flag.halted', projectId));
  }

  /**
   * The flag in its state after the call; it is durable when this resolves. A live flag's halt is refused while the
   * project's quota of decisions is used up. Fails with `switch_disabled`, `flag_not_found`.
   */
  async halt(caller: HaltCaller, given: HaltRequest): Promise<HaltedFlag> {
    // A key that cannot be stored names no flag, but the gate comes first.
    const request = isStorable(given.flagKey) ? given : { ...given, flagKey: '' };
    const answer = await this.groups.halt(caller, request);
    switch (answer) {
      case 'used up':
        throw switchFailure('switch_disabled', { reason: 'quota_exceeded' });
      case 'not found':
        throw switchFailure('flag_not_found');
      case 'alone':
        return this.haltAlone(caller, request);
      default:
        return answer;
    }
  }

  private async haltAlone({ actor, requestId, address }: HaltCaller, request: HaltRequest): Promise<HaltedFlag> {
    const place = [actor.projectId, request.environment, request.flagKey];
    const now = this.clock.now();
    const { rows } = await this.pool.query<HaltRow>({
      name: 'halt-flag',
      text: HALT_SQL,
      values: [
        ...place,
        now,
        request.reason,
        newUuid(),
        newPrefixedId('evt'),
        actor.organizationId,
        address,
        requestId,
        request.evidenceUrl,
        actor.keyId,
        request.environment === 'live',
        monthOf(now),
      ],
    });
    const found = rows[0] as HaltRow;
    if (found.usedUp) throw switchFailure('switch_disabled', { reason: 'quota_exceeded' });
    if (found.haltedNow) this.events.announce('switch.flag.halted', actor.projectId);
    return found.id === null ? this.find(place) : found;
  }

  private async find(place: string[]): Promise<HaltedFlag> {
    const { rows } = await this.pool.query<HaltedFlag>({ name: 'find-flag', text: FIND, values: place });
    if (!rows[0]) throw switchFailure('flag_not_found');
    return rows[0];
  }
}
