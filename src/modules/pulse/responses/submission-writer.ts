import type { DatabaseError, Pool } from 'pg';
import { insertEventsSql } from '../../../events/insert-event.js';
import type { Environment } from '../../../kernel/actor.js';
import { allOrEach } from '../../../kernel/database/all-or-each.js';
import { commonFailure } from '../../../kernel/errors.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { THRESHOLDS } from '../../quotas/limits.js';
import { crossesSql } from '../../quotas/metering.js';
import { grantSql, usageRowsSql } from '../../quotas/metering-groups.js';
import { monthOf, nextMonth } from '../../quotas/month.js';
import { RESPONSE_DATASET } from '../results/response-dataset.js';

/** A validated response on its way to the database. */
export interface Submission {
  readonly id: string;
  readonly eventId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly surveyId: string;
  /** The revision the answers were validated against; a different one in the database makes the submission `stale`. */
  readonly surveyRevision: number;
  readonly surveyVersion: number;
  readonly environment: Environment;
  readonly score: number | null;
  readonly userId: string | null;
  readonly externalId: string | null;
  readonly email: string | null;
  readonly distributionId: string | null;
  readonly context: unknown;
  readonly submittedAt: Date;
  readonly createdAt: Date;
  readonly actorId: string;
  readonly address: string | null;
  readonly requestId: string;
  /** The client's id of the submission, the same in every repeat. */
  readonly insertId: string | null;
  readonly answers: readonly (readonly [questionId: string, value: unknown])[];
}

export type SubmissionOutcome =
  | {
      readonly result: 'accepted';
      /** Whether it crossed a threshold of the project's quota, for which an event was stored. */
      readonly crossed: boolean;
    }
  /** It is stored already, as this response. */
  | { readonly result: 'repeated'; readonly id: string; readonly score: number | null }
  | { readonly result: 'stale' }
  | { readonly result: 'quota_exceeded'; readonly used: number; readonly limit: number };

/** `held`: the survey is being edited; nothing is stored. */
type StoredOutcome = SubmissionOutcome | { readonly result: 'held' };

/**
 * Any number of submissions in one statement, which is one transaction: quota, response, answers, the emptied partial save and the event,
 * an event for each quota threshold crossed, and the note for the analytics store, or nothing at all. Rows that several submissions may
 * need are locked in one order, so that processes can't deadlock. It doesn't wait for the row of a survey being edited: its submissions are
 * `held` and retried.
 */
const SUBMIT = `
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as i(
    place integer, id text, event_id text, organization_id uuid, project_id uuid, survey_id text, revision integer, version integer,
    environment text, month date, score integer, user_id text, external_id text, email text, distribution_id text, context jsonb,
    submitted_at timestamptz, created_at timestamptz, actor_id text, address text, request_id text, insert_id text, answers jsonb)
), months as materialized (
  select * from jsonb_to_recordset($2::jsonb) as m(project_id uuid, month date, resets_at text, threshold_ids text[])
), survey_now as materialized (
  select id, revision from survey where id = any(array(select survey_id from input)) order by id for key share skip locked
), repeated as materialized (
  select i.place, r.id, r.score from input i
    join survey_response r on r.survey_id = i.survey_id and r.environment = i.environment and r.insert_id = i.insert_id
), fresh as materialized (
  select i.*, row_number() over (partition by i.project_id, i.month, i.environment order by i.place) as turn
    from input i join survey_now s on s.id = i.survey_id and s.revision = i.revision
   where i.place not in (select place from repeated)
), wanted as materialized (
  select project_id, month, count(*) as number from fresh where environment = 'live' group by project_id, month
), ${grantSql('responses')}, accepted as materialized (
  select f.* from fresh f left join granted g on g.project_id = f.project_id and g.month = f.month
   where f.environment <> 'live' or f.turn <= g.number
), response as (
  insert into survey_response (id, project_id, survey_id, survey_version, environment, score, user_id, external_id, email,
    distribution_id, attributed_to, context, insert_id, submitted_at, created_at)
  select a.id, a.project_id, a.survey_id, a.version, a.environment, a.score, a.user_id, a.external_id, a.email, a.distribution_id,
    (select d.id from survey_distribution d where d.id = a.distribution_id and d.survey_id = a.survey_id),
    a.context, a.insert_id, a.submitted_at, a.created_at
    from accepted a
), answer as (
  insert into survey_answer (response_id, question_id, value)
  select a.id, e.value ->> 0, e.value -> 1 from accepted a cross join lateral jsonb_array_elements(a.answers) e
), partial as (
  insert into survey_partial as p (survey_id, environment, external_id, id, answers, context, expires_at, updated_at, submitted_at)
  select distinct on (survey_id, environment, external_id) survey_id, environment, external_id, id, '{}'::jsonb, '{}'::jsonb,
    created_at, created_at, created_at
    from accepted where external_id is not null order by survey_id, environment, external_id
  on conflict (survey_id, environment, external_id) do update
    set answers = excluded.answers, context = excluded.context, current_question_id = null, expires_at = excluded.expires_at,
        updated_at = excluded.updated_at, submitted_at = excluded.submitted_at
), event as (
  ${insertEventsSql('accepted order by place', {
    id: 'event_id',
    kind: "'pulse.response.submitted'",
    organizationId: 'organization_id',
    projectId: 'project_id',
    environment: 'environment',
    objectType: "'survey_response'",
    objectId: 'id',
    actorId: 'actor_id',
    actorEmail: "''",
    address: 'address',
    requestId: 'request_id',
    data: "jsonb_build_object('response_id', id, 'survey_id', survey_id, 'score', score)",
    before: 'null',
    after: 'null',
    createdAt: 'created_at',
  })}
), crossed as materialized (
  select a.*, t.percent, m.threshold_ids[t.place] as threshold_id, m.resets_at, g.used + g.number as used, g.most
    from accepted a join granted g on a.environment = 'live' and g.project_id = a.project_id and g.month = a.month
    join months m on m.project_id = a.project_id and m.month = a.month
    cross join unnest(array[${THRESHOLDS.join(', ')}]) with ordinality as t(percent, place)
   where a.turn = 1 and ${crossesSql('t.percent', { before: 'g.used', after: 'g.used + g.number', limit: 'g.most' })}
), threshold as (
  ${insertEventsSql('crossed', {
    id: 'threshold_id',
    kind: "'quotas.threshold.reached'",
    organizationId: 'organization_id',
    projectId: 'project_id',
    environment: 'null',
    objectType: "'project'",
    objectId: 'project_id',
    actorId: "'system:quotas'",
    actorEmail: "''",
    address: 'null',
    requestId: 'request_id',
    data: `jsonb_build_object('meter', 'responses', 'percent', percent, 'current', used, 'limit', most, 'resets_at', resets_at)`,
    before: 'null',
    after: 'null',
    createdAt: 'created_at',
  })}
), noted as materialized (
  select note_analytics_rows('${RESPONSE_DATASET}', array_agg(id)) from accepted having count(*) > 0
)
select i.place, r.id as repeated_id, r.score as repeated_score, f.turn, a.place is not null as accepted,
  exists (select from crossed c where c.place = i.place) as crossed, g.used, g.number, g.most,
  exists (select from survey s where s.id = i.survey_id) and not exists (select from survey_now s where s.id = i.survey_id) as held
  from input i
  left join noted on true
  left join repeated r on r.place = i.place
  left join fresh f on f.place = i.place
  left join accepted a on a.place = i.place
  left join granted g on i.environment = 'live' and g.project_id = i.project_id and g.month = i.month`;

const MAX_GROUP = 128;
const INSERT_ID_INDEX = 'survey_response_insert_id_index';
/** How soon held submissions are retried, and for how long. */
const HELD = { againMs: 50, longestMs: 10_000 };
const MAX_SEEN_MONTHS = 10_000;

interface Queued {
  readonly submission: Submission;
  /** `performance.now()` on arrival. */
  readonly since: number;
  /** A repeat may find the quota used up by its original, which its statement was too early to see. */
  readonly wasOverQuota?: boolean;
  resolve(outcome: SubmissionOutcome): void;
  reject(error: unknown): void;
}

const mayBeRepeat = ({ submission, wasOverQuota }: Queued): boolean => submission.insertId !== null && !wasOverQuota;

interface OutcomeRow {
  place: number;
  repeated_id: string | null;
  repeated_score: number | null;
  /** Position among the project's submissions of the group; null if the survey has changed. */
  turn: string | null;
  accepted: boolean;
  crossed: boolean;
  held: boolean;
  used: string | null;
  number: string | null;
  most: string | null;
}

/**
 * Writes submissions (hot path, without the ORM). Those that arrive during a write are written together by the next one: each waits for its
 * own commit, and a project's quota row is locked once for all of them.
 */
export class SubmissionWriter {
  private queue: Queued[] = [];
  private writing = false;
  private readonly seenMonths = new Set<string>();

  constructor(private readonly pool: Pool) {}

  /** Resolves when the submission is durable or rejected; rejects if the database failed, and then nothing is stored. */
  write(submission: Submission): Promise<SubmissionOutcome> {
    return new Promise((resolve, reject) => {
      this.enqueue({ submission, since: performance.now(), resolve, reject });
    });
  }

  private enqueue(queued: Queued): void {
    this.queue.push(queued);
    if (!this.writing) void this.drain();
  }

  private async drain(): Promise<void> {
    this.writing = true;
    while (this.queue.length > 0) await this.writeGroup(this.queue.splice(0, MAX_GROUP));
    this.writing = false;
  }

  private async writeGroup(group: readonly Queued[]): Promise<void> {
    const store = async (some: readonly Queued[]): Promise<void> => {
      const outcomes = await this.store(some.map(({ submission }) => submission));
      some.forEach((queued, place) => {
        const outcome = outcomes[place] as StoredOutcome;
        if (outcome.result === 'held') this.hold(queued);
        else if (outcome.result === 'quota_exceeded' && mayBeRepeat(queued))
          this.enqueue({ ...queued, wasOverQuota: true });
        else queued.resolve(outcome);
      });
    };
    const refused = (queued: Queued, error: unknown): void => {
      // Another process has stored the same submission in the meantime.
      if ((error as DatabaseError).constraint === INSERT_ID_INDEX) this.enqueue(queued);
      else queued.reject(error);
    };
    await allOrEach(group, store, refused).catch((error: unknown) => {
      for (const { reject } of group) reject(error);
    });
  }

  private hold(queued: Queued): void {
    if (performance.now() - queued.since < HELD.longestMs) setTimeout(() => this.enqueue(queued), HELD.againMs);
    else queued.reject(commonFailure('unavailable'));
  }

  private async store(submissions: readonly Submission[]): Promise<StoredOutcome[]> {
    const months = monthsOf(submissions);
    await this.prepareMonths(months);
    const { rows } = await this.pool.query<OutcomeRow>({
      name: 'submit-responses',
      text: SUBMIT,
      values: [JSON.stringify(submissions.map(toRow)), JSON.stringify(months.map(toMonthRow))],
    });
    const outcomes: StoredOutcome[] = [];
    for (const row of rows) outcomes[row.place] = toOutcome(row);
    return outcomes;
  }

  /** The statement locks the month's usage rows, so they must exist before it begins. */
  private async prepareMonths(months: readonly ProjectMonth[]): Promise<void> {
    const unseen = months.filter(({ key }) => !this.seenMonths.has(key));
    if (unseen.length === 0) return;
    await this.pool.query(usageRowsSql('responses'), [
      unseen.map(({ projectId }) => projectId),
      unseen.map(({ month }) => month),
    ]);
    if (this.seenMonths.size > MAX_SEEN_MONTHS) this.seenMonths.clear();
    for (const { key } of unseen) this.seenMonths.add(key);
  }
}

interface ProjectMonth {
  readonly key: string;
  readonly projectId: string;
  readonly month: string;
  readonly resetsAt: Date;
}

function monthsOf(submissions: readonly Submission[]): ProjectMonth[] {
  const months = new Map<string, ProjectMonth>();
  for (const { projectId, createdAt } of submissions) {
    const month = monthOf(createdAt);
    const key = projectId + month;
    if (!months.has(key)) months.set(key, { key, projectId, month, resetsAt: nextMonth(createdAt) });
  }
  return [...months.values()];
}

/** The content of its threshold events; at most one of each is stored. */
function toMonthRow({ projectId, month, resetsAt }: ProjectMonth): Record<string, unknown> {
  const thresholdIds = THRESHOLDS.map(() => newPrefixedId('evt'));
  return { project_id: projectId, month, resets_at: resetsAt, threshold_ids: thresholdIds };
}

function toRow(submission: Submission, place: number): Record<string, unknown> {
  return {
    place,
    id: submission.id,
    event_id: submission.eventId,
    organization_id: submission.organizationId,
    project_id: submission.projectId,
    survey_id: submission.surveyId,
    revision: submission.surveyRevision,
    version: submission.surveyVersion,
    environment: submission.environment,
    month: monthOf(submission.createdAt),
    score: submission.score,
    user_id: submission.userId,
    external_id: submission.externalId,
    email: submission.email,
    distribution_id: submission.distributionId,
    context: submission.context,
    submitted_at: submission.submittedAt,
    created_at: submission.createdAt,
    actor_id: submission.actorId,
    address: submission.address,
    request_id: submission.requestId,
    insert_id: submission.insertId,
    answers: submission.answers,
  };
}

function toOutcome(row: OutcomeRow): StoredOutcome {
  const { turn, accepted, crossed, held, used, number, most } = row;
  if (row.repeated_id !== null) return { result: 'repeated', id: row.repeated_id, score: row.repeated_score };
  if (held) return { result: 'held' };
  if (turn === null) return { result: 'stale' };
  return accepted
    ? { result: 'accepted', crossed }
    : { result: 'quota_exceeded', used: Number(used) + Number(number), limit: Number(most) };
}
