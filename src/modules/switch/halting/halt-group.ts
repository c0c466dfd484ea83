import type { Pool } from 'pg';
import type { Clock } from '../../../kernel/clock.js';
import { newPrefixedId, newUuid } from '../../../kernel/ids.js';
import { usedUpSql } from '../../quotas/metering.js';
import { monthOf } from '../../quotas/month.js';
import type { HaltRequest } from './halt-request.js';
import { FLAG_COLUMNS, type HaltCaller, type HaltedFlag } from './halted-flag.js';

/** What became of a halt that was asked for together with others; `alone` when it has to be tried by itself. */
export type GroupAnswer = HaltedFlag | 'used up' | 'not found' | 'alone';

/** Statements under way at once; what comes meanwhile leaves together with the next. */
const MOST_RUNNING = 2;
const LARGEST_GROUP = 100;
/** SQLSTATE classes of a statement that was refused for its data or undone for another, and so for one of its halts perhaps. */
const UNDONE = /^(22|23|40)/;

/**
 * Halts all flags asked for that nobody else holds, each with its version and its event, in one statement. It waits for no
 * row, so groups cannot deadlock, and a flag that is being changed holds nobody else up: it is answered as not halted.
 */
const HALT_GROUP_SQL = `with asked as (
    select a.*, a.environment = 'live' and ${usedUpSql('decisions', 'a.project_id', '$13')} as used_up
      from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::uuid[], $8::text[],
                  $9::text[], $10::text[], $11::text[]) with ordinality
        as a(project_id, environment, key, reason, version_id, event_id, organization_id, address, request_id,
             evidence_url, key_id, place)
  ), free as (
    select f.id, a.place from asked a join flag f using (project_id, environment, key)
     where f.halted_at is null and not a.used_up
       for update of f skip locked
  ), halted as (
    update flag f set halted_at = $12, halt_reason = a.reason, current_version = f.current_version + 1, updated_at = $12
      from free join asked a using (place)
     where f.id = free.id
    returning f.*, a.place, a.version_id, a.event_id, a.organization_id, a.address, a.request_id, a.evidence_url, a.key_id
  ), version as (
    insert into flag_version (id, flag_id, version_number, action, behaviour, actor_id, actor_email, note, created_at)
    select version_id, id, current_version, 'halted',
           json_build_object('variants', variants, 'defaultVariant', default_variant, 'rules', rules),
           'system:halt-webhook', '', halt_reason, $12
      from halted
  ), event as (
    insert into event_log (id, kind, organization_id, project_id, environment, object_type, object_id, actor_id,
                           actor_email, address, request_id, data, before, after, created_at)
    select event_id, 'switch.flag.halted', organization_id, project_id, environment, 'flag', id, 'system:halt-webhook',
           '', address, request_id,
           jsonb_build_object('flag_id', id, 'key', key, 'version', current_version, 'reason', halt_reason,
                              'evidence_url', evidence_url),
           jsonb_build_object('haltedAt', null, 'haltReason', null, 'currentVersion', current_version - 1),
           jsonb_build_object('haltedAt', $12::timestamptz, 'haltReason', halt_reason, 'currentVersion', current_version,
                              'keyId', key_id, 'evidenceUrl', evidence_url),
           $12
      from halted
  )
  select place::int, false as "usedUp", true as "haltedNow", ${FLAG_COLUMNS} from halted f
  union all
  select a.place::int, a.used_up, false, ${FLAG_COLUMNS}
    from asked a left join flag f using (project_id, environment, key)
   where not exists (select from free where free.place = a.place)`;

type GroupRow = { place: number; usedUp: boolean; haltedNow: boolean } & (HaltedFlag | { id: null });

interface Asked {
  readonly caller: HaltCaller;
  readonly request: HaltRequest;
  readonly answer: PromiseWithResolvers<GroupAnswer>;
}

/** Gathers the halts that are asked for while others are under way; those of one flag are one. */
export class HaltGroups {
  private waiting = new Map<string, Asked>();
  private running = 0;

  /** @param announce told of each project of which flags were halted, once they are. */
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly announce: (projectId: string) => void,
  ) {}

  halt(caller: HaltCaller, request: HaltRequest): Promise<GroupAnswer> {
    const flag = `${caller.actor.projectId} ${request.environment} ${request.flagKey}`;
    let asked = this.waiting.get(flag);
    if (!asked) {
      asked = { caller, request, answer: Promise.withResolvers() };
      this.waiting.set(flag, asked);
      // Requests that came in the same turn of the event loop leave together.
      if (this.waiting.size === 1) setImmediate(() => this.next());
    }
    return asked.answer.promise;
  }

  private next(): void {
    if (this.running >= MOST_RUNNING || this.waiting.size === 0) return;
    const group = [...this.waiting].slice(0, LARGEST_GROUP);
    for (const [flag] of group) this.waiting.delete(flag);
    this.running += 1;
    void this.run(group.map(([, asked]) => asked)).finally(() => {
      this.running -= 1;
      this.next();
    });
    this.next();
  }

  private async run(group: readonly Asked[]): Promise<void> {
    try {
      const now = this.clock.now();
      const values = [...columnsOf(group), now, monthOf(now)];
      const { rows } = await this.pool.query<GroupRow>({ name: 'halt-flags', text: HALT_GROUP_SQL, values });
      for (const projectId of new Set(rows.flatMap((row) => (row.haltedNow && row.id ? [row.projectId] : []))))
        this.announce(projectId);
      for (const row of rows) group[row.place - 1]?.answer.resolve(answerOf(row));
    } catch (error) {
      const undone = UNDONE.test(String((error as { code?: unknown }).code ?? ''));
      for (const { answer } of group) {
        if (undone) answer.resolve('alone');
        else answer.reject(error);
      }
    }
  }
}

function answerOf(row: GroupRow): GroupAnswer {
  if (row.usedUp) return 'used up';
  if (row.id === null) return 'not found';
  return row.haltedAt === null ? 'alone' : row;
}

/** The first eleven parameters of the statement, each a list with a place for every halt. */
function columnsOf(group: readonly Asked[]): unknown[][] {
  const column = (of: (asked: Asked) => unknown) => group.map(of);
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
  ];
}
