import type { Pool, PoolClient } from 'pg';
import type { Environment } from '../../../kernel/actor.js';
import type { CohortMemberships, PersonFacts } from '../cohorts/cohort-memberships.js';
import { EVERYONE, type PersonFilter } from './person-filter.js';

/** A person as decisions see it: by the oldest of its ids. */
export interface SampledPerson extends PersonFacts {
  readonly distinctId: string;
}

/** Some persons of an environment, picked without regard to what they are. */
export interface PersonSample {
  readonly persons: readonly SampledPerson[];
  /** How many persons they were picked from, or about as many when not all were counted. */
  readonly total: number;
  /** Whether all persons were counted; else `total` is an estimate. */
  readonly isCounted: boolean;
}

/** Bounds of reading a sample: persons that are read, and milliseconds of the database for each of two attempts. */
export interface SampleBudget {
  readonly persons: number;
  readonly wholeMs: number;
  readonly partMs: number;
}

const BUDGET: SampleBudget = { persons: 5_000, wholeMs: 1_500, partMs: 1_500 };
/** Rows of the table that the second attempt looks at. */
const ROWS_OF_PART = 50_000;
/** SQLSTATE of a statement that ran out of its time. */
const OUT_OF_TIME = '57014';

interface Row {
  properties: Record<string, unknown>;
  ids: string[];
  total: string;
}

/**
 * Reads samples of persons. All persons that a filter lets through are counted, and of more than 5,000 those are read whose
 * ids come first by their hash: the same ones every time. A table that is too large for that within 1.5 s is sampled itself.
 */
export class PersonSamples {
  constructor(
    private readonly pool: Pool,
    private readonly memberships: CohortMemberships,
    private readonly budget: SampleBudget = BUDGET,
  ) {}

  /** A sample of the persons that a filter lets through. Fails as the database does when even a part takes too long. */
  async read(projectId: string, environment: Environment, filter: PersonFilter = EVERYONE): Promise<PersonSample> {
    const { persons: most, wholeMs, partMs } = this.budget;
    const values = [projectId, environment, most, ...filter.values];
    const whole = await this.within(wholeMs, async (client) => {
      const { rows } = await client.query<Row>(sampleSql(filter), values);
      return { rows, part: 1 };
    });
    const read = whole ?? (await this.within(partMs, (client) => readPart(client, filter, values)));
    if (!read) throw new Error(`a sample of persons took more than ${partMs} ms`);
    const factsOf = await this.memberships.factsFinder(projectId);
    return {
      persons: read.rows.map((row) => ({ ...factsOf(row), distinctId: row.ids[0] ?? '' })),
      total: Math.round(Number(read.rows[0]?.total ?? 0) / read.part),
      isCounted: whole !== null,
    };
  }

  /** Runs work on a connection whose statements may take so long; null when one took longer. */
  private async within<T>(milliseconds: number, work: (client: PoolClient) => Promise<T>): Promise<T | null> {
    const client = await this.pool.connect();
    try {
      await client.query(`begin read only; set local statement_timeout = ${milliseconds}`);
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      if ((error as { code?: unknown }).code === OUT_OF_TIME) return null;
      throw error;
    } finally {
      client.release();
    }
  }
}

async function readPart(client: PoolClient, filter: PersonFilter, values: unknown[]) {
  const { rows: tables } = await client.query<{ rows: number }>(
    `select reltuples as rows from pg_class where oid = 'person'::regclass`,
  );
  const part = Math.min(1, ROWS_OF_PART / Math.max(tables[0]?.rows ?? 0, 1));
  const { rows } = await client.query<Row>(
    sampleSql(filter, `tablesample system (${part * 100}) repeatable (0)`),
    values,
  );
  return { rows, part };
}

/** `p` is the person that the filter speaks of. */
function sampleSql(filter: PersonFilter, tablesample = ''): string {
  return `with candidate as materialized (
      select p.id from person p ${tablesample} where p.project_id = $1 and p.environment = $2 and ${filter.sql}
    ), picked as (
      select id from candidate order by hashtextextended(id, 0) limit $3
    )
    select p.properties, (select count(*) from candidate) as total,
           array(select distinct_id from person_id where person_id = p.id order by created_at, distinct_id) as ids
      from picked join person p using (id)`;
}
