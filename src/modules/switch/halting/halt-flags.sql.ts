import { insertEventsSql } from '../../../events/insert-event.js';
import { newPrefixedId, newUuid } from '../../../kernel/ids.js';
import { usedUpSql } from '../../quotas/metering.js';
import { monthOf } from '../../quotas/month.js';
import { flagRecordSql } from '../flags/flag-history.js';
import type { HaltRequest } from './halt-request.js';
import { FLAG_COLUMNS, type HaltCaller, type HaltedFlag } from './halted-flag.js';

/** A halt that automation asked for. */
export interface AskedHalt {
  readonly caller: HaltCaller;
  readonly request: HaltRequest;
}

/** One row per halt that was asked for, in any order; `place` counts them from 1. */
export type HaltRow = { place: number; usedUp: boolean; haltedNow: boolean } & (HaltedFlag | { id: null });

/**
 * Halts flags, each with its version and its event, in one statement. With `skip locked` it waits for no row: groups cannot
 * deadlock, and a flag that somebody is changing holds nobody else up; it is answered as not halted. Without, concurrent calls queue
 * on the row, and those that come second find the condition false.
 */
export const haltFlagsSql = (waiting: 'skip locked' | ''): string => `with asked as (
    select a.*, a.environment = 'live' and ${usedUpSql('decisions', 'a.project_id', '$13')} as used_up
      from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::uuid[], $8::text[],
                  $9::text[], $10::text[], $11::text[]) with ordinality
        as a(project_id, environment, key, reason, version_id, event_id, organization_id, address, request_id,
             evidence_url, key_id, place)
  ), free as (
    select f.id, a.place from asked a join flag f using (project_id, environment, key)
     where f.halted_at is null and not a.used_up
       for update of f ${waiting}
  ), halted as (
    update flag f set halted_at = $12, halt_reason = a.reason, current_version = f.current_version + 1, updated_at = $12
      from free join asked a using (place)
     where f.id = free.id
    returning f.*, a.place, a.version_id, a.event_id, a.organization_id, a.address, a.request_id, a.evidence_url, a.key_id
  ), version as (
    insert into flag_version (id, flag_id, version_number, action, behaviour, actor_id, actor_email, note, created_at)
    select version_id, id, current_version, 'halted',
           json_build_object('variants', variants, 'defaultVariant', default_variant, 'rules', rules,
                             'prerequisites', prerequisites),
           'system:halt-webhook', '', halt_reason, $12
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
        'evidence_url', evidence_url, 'key_id', key_id)`,
      before: flagRecordSql('before the halt'),
      after: flagRecordSql('as it is'),
      createdAt: '$12',
    })}
  )
  select place::int, false as "usedUp", true as "haltedNow", ${FLAG_COLUMNS} from halted f
  union all
  select a.place::int, a.used_up, false, ${FLAG_COLUMNS}
    from asked a left join flag f using (project_id, environment, key)
   where not exists (select from free where free.place = a.place)`;

/** The parameters of {@link haltFlagsSql}: lists with a place for every halt, then the time and the month of the quota. */
export function haltFlagsValues(asked: readonly AskedHalt[], now: Date): unknown[] {
  const column = (of: (one: AskedHalt) => unknown) => asked.map(of);
  return [
    column(({ caller }) => caller.actor.projectId),
    column(({ request }) => request.environment),
    column(({ request }) => request.flagKey),
    column(({ request }) => request.reason),
    column(() => newUuid()),
    column(() => newPrefixedId('evt')),
    column(({ caller }) => caller.actor.organizationId),
    column(({ caller }) => caller.address),
    column(({ caller }) => caller.requestId),
    column(({ request }) => request.evidenceUrl),
    column(({ caller }) => caller.actor.keyId),
    now,
    monthOf(now),
  ];
}
