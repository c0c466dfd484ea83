import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { allOrEach } from '../../../kernel/database/all-or-each.js';
import { inTransaction } from '../../../kernel/database/pool-transaction.js';
import { textArray } from '../../../kernel/database/text-array.js';
import type { Logger } from '../../../kernel/logger.js';

/** Maximum responses counted in one transaction. */
const SLICE = 2_000;

/** SQL for the values that an answer `a` gives: several if it is a list. */
export const GIVEN_VALUES = `jsonb_array_elements(case jsonb_typeof(a.value) when 'array' then a.value else jsonb_build_array(a.value) end)`;

/**
 * SQL for a response's contributions to the counts, by survey, environment and day (UTC): itself under its score, each question it answers,
 * and each non-text value of an answer. `responses` names rows `(id, survey_id, environment, submitted_at, score)`.
 */
export function countsOf(responses: string): string {
  const place = "r.survey_id, r.environment, (r.submitted_at at time zone 'UTC')::date as day";
  return `
select ${place}, 'response' as counts, '' as question_id, coalesce(r.score::text, '') as value, count(*) as count
  from ${responses} r group by 1, 2, 3, 6
union all
select ${place}, 'answer', a.question_id, '', count(*)
  from ${responses} r join survey_answer a on a.response_id = r.id group by 1, 2, 3, 5
union all
select ${place}, 'value', a.question_id, e.value::text, count(*)
  from ${responses} r
  join survey_answer a on a.response_id = r.id
  join survey_question q on q.survey_id = r.survey_id and q.id = a.question_id and q.kind <> 'text'
 cross join lateral ${GIVEN_VALUES} e
 group by 1, 2, 3, 5, 6`;
}

/** Adds up in a fixed order, so that writers can't deadlock. */
const add = (responses: string, count: string): string => `
insert into survey_count as c (survey_id, environment, day, counts, question_id, value, count)
select survey_id, environment, day, counts, question_id, value, ${count} from (${countsOf(responses)}) counted
 order by survey_id, environment, day, counts, question_id, value
on conflict (survey_id, environment, day, counts, question_id, value) do update set count = c.count + excluded.count`;

/** An uncounted response, and the place of the row that says so. */
interface Note {
  note: string;
  response_id: string;
}

/** Notes that nobody else is counting: all except some, or only some. */
const TAKEN = 'select ctid::text as note, response_id from survey_response_uncounted where response_id';
const TAKE_OTHERS = `${TAKEN} <> all($1::text[]) limit ${SLICE} for update skip locked`;
const TAKE_THESE = `${TAKEN} = any($1::text[]) for update skip locked`;

/**
 * Notes come and go, so the planner often assumes that their table is empty when it is full. Their places and ids are passed as values:
 * whatever it assumes, it reads each table at most once, instead of joining them row by row.
 */
const COUNT = `
with taken as (
  delete from survey_response_uncounted where ctid = any($1::tid[])
), fresh as materialized (
  select id, survey_id, environment, submitted_at, score from survey_response where id = any($2::text[])
) ${add('fresh', 'count')}`;

const TAKE_BACK = `
with gone as materialized (
  select id, survey_id, environment, submitted_at, score from survey_response where id = any(?)
) ${add('gone', '-count')}`;

/**
 * Maintains the table of counts, from which results are read instead of from the responses. At every moment, a response is either noted as
 * uncounted or included in the counts: both change in one transaction.
 */
export class ResponseCounts {
  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
  ) {}

  /** Counts what was received since the last run; whatever can't be counted waits for the next. */
  async count(signal?: AbortSignal): Promise<void> {
    const refused: string[] = [];
    for (;;) {
      signal?.throwIfAborted();
      if ((await this.countSlice(refused)) < SLICE) return;
    }
  }

  /** Counts all except the failing ones, to which it adds. Returns how many notes it found. */
  private async countSlice(refused: string[]): Promise<number> {
    const taken: Note[] = [];
    try {
      await this.countTaken(TAKE_OTHERS, refused, taken);
    } catch (error) {
      if (taken.length === 0) throw error;
      await allOrEach(
        taken.map((note) => note.response_id),
        (ids) => this.countTaken(TAKE_THESE, ids),
        (responseId, why) => {
          refused.push(responseId);
          this.logger.error({ err: why, responseId }, 'a response cannot be counted');
        },
      );
    }
    return taken.length;
  }

  private countTaken(take: string, responseIds: readonly string[], taken: Note[] = []): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<Note>(take, [responseIds]);
      taken.push(...rows);
      if (rows.length > 0)
        await client.query(COUNT, [rows.map(({ note }) => note), rows.map((row) => row.response_id)]);
    });
  }

  /** Removes responses from the counts that are deleted afterwards in the same transaction, which has locked them. */
  async forget(em: EntityManager, responseIds: readonly string[]): Promise<void> {
    const ids = textArray(responseIds);
    // Waits for anyone counting one of them; the next statement sees what was counted.
    const uncounted = await em.execute<{ id: string }[]>(
      `delete from survey_response_uncounted u using survey_response r
        where r.id = any(?) and (u.survey_id, u.environment, u.response_id) = (r.survey_id, r.environment, r.id)
       returning r.id`,
      [ids],
    );
    const known = new Set(uncounted.map(({ id }) => id));
    const counted = responseIds.filter((id) => !known.has(id));
    if (counted.length === 0) return;
    await em.execute(TAKE_BACK, [textArray(counted)]);
    // An answer that nobody gives anymore may reveal something about an erased person.
    await em.execute(
      'delete from survey_count where count = 0 and survey_id in (select survey_id from survey_response where id = any(?))',
      [ids],
    );
  }
}
