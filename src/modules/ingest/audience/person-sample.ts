import type { Pool, PoolClient } from 'pg';
import type { Environment } from '../../../kernel/actor.js';
import { codeOf } from '../../../kernel/database/database-failures.js';
import type { StoredPerson } from '../../../kernel/targeting/person-lookup.js';
import { cohortDefinitions } from '../cohorts/cohort-definitions.js';
import { type CompiledCohorts, compileCohorts } from '../cohorts/compiled-cohorts.js';
import { EVERYONE, type PersonFilter } from './person-filter.js';

export interface SampledPerson extends StoredPerson {
  /** The oldest of its ids. */
  readonly distinctId: string;
  /** All of its ids, oldest first. */
  readonly ids: readonly string[];
}

/** Some persons of an environment, picked regardless of their properties. */
export interface PersonSample {
  readonly persons: readonly SampledPerson[];
  /** How many persons they were picked from. */
  readonly candidates: number;
  readonly total: number;
  /** Whether persons were counted one by one; otherwise both numbers are estimated from a part of the table. */
  readonly isCounted: boolean;
  /** The part of the table that was read, 0 to 1. */
  readonly part: number;
}

/** Limits for reading a sample: persons read, and milliseconds of each statement in each of two attempts. */
export interface SampleBudget {
  readonly persons: number;
  readonly wholeMs: number;
  readonly partMs: number;
  /** Rows of the table that the second attempt reads. */
  readonly partRows: number;
}

const BUDGET: SampleBudget = { persons: 5_000, wholeMs: 1_500, partMs: 1_500, partRows: 50_000 };
/** SQLSTATE of a statement that timed out. */
const OUT_OF_TIME = '57014';

interface Row {
  properties: Record<string, unknown>;
  ids: string[];
  candidates: string;
}

/**
 * Reads samples of persons. All persons that a filter lets through are counted; if there are more than 5,000, the first 5,000 by the hash
 * of their ids are read: the same ones every time. If that takes more than 1.5 s, the table itself is sampled.
 */
export class PersonSamples {
  constructor(
    private readonly pool: Pool,
    private readonly budget: SampleBudget = BUDGET,
  ) {}

  /** The cohorts to which persons in a project's samples are assigned. */
  async cohortsOf(projectId: string): Promise<CompiledCohorts> {
    return compileCohorts(await cohortDefinitions(this.pool, projectId));
  }

  /** A sample of the persons that a filter lets through. Fails like the database does if even a part takes too long. */
  async read(projectId: string, environment: Environment, filter: PersonFilter = EVERYONE): Promise<PersonSample> {
    const values = [projectId, environment, this.budget.persons, ...filter.values];
    const { rows, total, part } = await this.readBoth(filter, values);
    const cohorts = await this.cohortsOf(projectId);
    return {
      persons: rows.map((row) => sampled(row, cohorts)),
      candidates: Math.round(Number(rows[0]?.candidates ?? 0) / part),
      total: Math.round(total / part),
      isCounted: part === 1,
      part,
    };
  }

  private async readBoth(filter: PersonFilter, values: unknown[]): Promise<ReadRows & { part: number }> {
    try {
      return await this.within(this.budget.wholeMs, async (client) => ({
        part: 1,
        ...(await readRows(client, filter, values, '')),
      }));
    } catch (error) {
      if (codeOf(error) !== OUT_OF_TIME) throw error;
      return this.within(this.budget.partMs, async (client) => {
        const part = await partOf(client, this.budget.partRows);
        const tablesample = `tablesample system (${part * 100}) repeatable (0)`;
        return { part, ...(await readRows(client, filter, values, tablesample)) };
      });
    }
  }

  /** Runs work on a connection whose statements may take this long. */
  private async within<T>(milliseconds: number, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query(`begin read only; set local statement_timeout = ${milliseconds}`);
      return await work(client);
    } finally {
      await client.query('rollback').then(
        () => client.release(),
        (error) => client.release(error),
      );
    }
  }
}

function sampled({ properties: stored, ids }: Row, cohorts: CompiledCohorts): SampledPerson {
  const properties = new Map(Object.entries(stored));
  return {
    properties,
    cohorts: new Set(cohorts.of(properties, ids)),
    memberships: cohorts.byRules,
    distinctId: ids[0] ?? '',
    ids,
  };
}

interface ReadRows {
  rows: Row[];
  total: number;
}

async function readRows(
  client: PoolClient,
  filter: PersonFilter,
  values: unknown[],
  tablesample: string,
): Promise<ReadRows> {
  const { rows: counts } = await client.query<{ total: string }>(
    `select count(*) as total from person p ${tablesample} where p.project_id = $1 and p.environment = $2`,
    values.slice(0, 2),
  );
  const { rows } = await client.query<Row>(
    `with candidate as materialized (
       select p.id from person p ${tablesample} where p.project_id = $1 and p.environment = $2 and ${filter.sql}
     ), picked as (
       select id from candidate order by hashtextextended(id, 0) limit $3
     )
     select p.properties, (select count(*) from candidate) as candidates,
            array(select distinct_id from person_id where person_id = p.id order by created_at, distinct_id) as ids
       from picked join person p using (id) order by hashtextextended(id, 0)`,
    values,
  );
  return { rows, total: Number(counts[0]?.total ?? 0) };
}

/** The part of the table with about this many rows. */
async function partOf(client: PoolClient, rows: number): Promise<number> {
  const { rows: tables } = await client.query<{ rows: number }>(
    `select reltuples as rows from pg_class where oid = 'person'::regclass`,
  );
  return Math.min(1, rows / Math.max(tables[0]?.rows ?? 0, 1));
}
