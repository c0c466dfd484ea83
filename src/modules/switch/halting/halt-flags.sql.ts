import { insertEventsSql } from '../../../events/insert-event.js';
import { newPrefixedId, newUuid } from '../../../kernel/ids.js';
import { usedUpSql } from '../../quotas/metering.js';
import { monthOf } from '../../quotas/month.js';
import { flagRecordSql } from '../flags/flag-history.js';
import type { HaltRequest } from './halt-request.js';
import { FLAG_COLUMNS, type HaltCaller, type HaltedFlag } from './halted-flag.js';

export interface RequestedHalt {
  readonly caller: HaltCaller;
  readonly request: HaltRequest;
}

/** One row per requested halt, in any order; `place` numbers them from 1. */
export type HaltRow = { place: number; usedUp: boolean; haltedNow: boolean } & (HaltedFlag | { id: null });

/**
 * Halts flags, each with its version and its event, in one statement. With `skip locked` it waits for no row: groups can't deadlock, and a
 * flag being changed doesn't hold up the others; it is returned as not halted. Without, concurrent calls queue on the row, and later ones
 * find the condition false.
 */
export const haltFlagsSql = (waiting: 'skip locked' | ''): string => `with requested as (
    select a.*, a.environment = 'live' and ${usedUpSql('decisions', 'a.project_id', '$3')} as used_up
      from jsonb_to_recordset($1::jsonb) as a(place int, project_id uuid, environment text, key text, reason text, version_id uuid,
             event_id text, organization_id uuid, address text, request_id text, evidence_url text, key_id text)
  ), free as (
    select f.id, a.place from requested a join flag f using (project_id, environment, key)
     where f.halted_at is null and not a.used_up
       for update of f ${waiting}
  ), halted as (
    update flag f set halted_at = $2, halt_reason = a.reason, halt_evidence_url = a.evidence_url,
           current_version = f.current_version + 1, updated_at = $2
      from free join requested a using (place)
     where f.id = free.id
    returning f.*, a.place, a.version_id, a.event_id, a.organization_id, a.address, a.request_id, a.key_id
  ), version as (
    insert into flag_version (id, flag_id, version_number, action, behaviour, actor_id, actor_email, note, evidence_url, created_at)
    select version_id, id, current_version, 'halted',
           json_build_object('variants', variants, 'defaultVariant', default_variant, 'rules', rules,
                             'prerequisites', prerequisites),
           'system:halt-webhook', '', halt_reason, halt_evidence_url, $2
      from halted
  ), event as (
    ${insertEventsSql('halted', {
      id: 'event_id',
      kind: "'switch.flag.halted'",
      organizationId: 'organization_id',
      projectId: 'project_id',
      environment: 'environment',
      objectType: "'flag'",
      objectId: 'id',
      actorId: "'system:halt-webhook'",
      actorEmail: "''",
      address: 'address',
      requestId: 'request_id',
      data: `jsonb_build_object('flag_id', id, 'key', key, 'version', current_version, 'reason', halt_reason,
        'evidence_url', halt_evidence_url, 'key_id', key_id)`,
      before: flagRecordSql('before the halt'),
      after: flagRecordSql('as it is'),
      createdAt: '$2',
    })}
  )
  select place, false as "usedUp", true as "haltedNow", ${FLAG_COLUMNS} from halted f
  union all
  select a.place, a.used_up, false, ${FLAG_COLUMNS}
    from requested a left join flag f using (project_id, environment, key)
   where not exists (select from free where free.place = a.place)`;

/**
 * The parameters of {@link haltFlagsSql}: JSON text of the halts, the time, and the month of the quota. PostgreSQL assumes the same number
 * of rows for any JSON, and so keeps one plan; for arrays it made a new one each time, which took longer than the halts.
 */
export function haltFlagsValues(halts: readonly RequestedHalt[], now: Date): unknown[] {
  const rows = halts.map(({ caller, request }, at) => ({
    place: at + 1,
    project_id: caller.actor.projectId,
    environment: request.environment,
    key: request.flagKey,
    reason: request.reason,
    version_id: newUuid(),
    event_id: newPrefixedId('evt'),
    organization_id: caller.actor.organizationId,
    address: caller.address,
    request_id: caller.requestId,
    evidence_url: request.evidenceUrl,
    key_id: caller.actor.keyId,
  }));
  return [JSON.stringify(rows), now, monthOf(now)];
}
