import pg from 'pg';
import { HOUR_MS } from '../../../src/kernel/values/durations.js';
import type { World } from '../factories/factories.js';

/** An operation in a batch. */
export const track = (name: string, distinctId: string, more: object = {}) => ({
  type: 'track',
  payload: { event_name: name, distinct_id: distinctId, ...more },
});

/** This many hours ago. */
export const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

export interface Counts {
  total: number;
  asOf: string;
  intervals: { at: string; count: number }[];
}
const COUNTS = `query($p: ID!, $env: Environment, $name: String, $from: DateTimeISO!, $to: DateTimeISO!, $interval: Interval) {
  eventCounts(projectId: $p, environment: $env, eventName: $name, from: $from, to: $to, interval: $interval) {
    total asOf intervals { at count } } }`;

/** Event counts for the world's live project, over the days around now unless `variables` say otherwise. */
export async function eventCounts(world: World, variables: object): Promise<Counts> {
  const defaults = { p: world.projectId, from: ago(48), to: ago(-24) };
  const answer = await world.owner.client.graphql<{ eventCounts: Counts }>(COUNTS, { ...defaults, ...variables });
  return answer.eventCounts;
}

const RESULTS = `query($survey: ID!, $from: DateTimeISO, $to: DateTimeISO) { surveyResults(surveyId: $survey, environment: live, from: $from, to: $to) {
  responses averageScore nps { score promoters passives detractors }
  questions { questionId answered average nps { score } distribution { value count share } }
  overTime { day responses averageScore nps { score } } } }`;

export const surveyResults = (world: World, survey: string, variables: object): Promise<object> =>
  world.owner.client.graphql(RESULTS, { survey, ...variables });

/** Runs work while another process has a transaction open that ran `statements`; it commits when `commit` is called. */
export async function withOpenTransaction(
  databaseUrl: string,
  statements: readonly [sql: string, values: unknown[]][],
  work: (commit: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    for (const [sql, values] of statements) await client.query(sql, values);
    await work(() => client.query('commit'));
  } finally {
    await client.end();
  }
}
/** Stores an event without going through the server; the parameters are the project, the id's milliseconds and the name. */
export const INSERT_AT = `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
  values (event_id_floor(to_timestamp($2 / 1000.0)), $1, 'live', $3, 'u', now(), '{}')`;

/** The error that the work rejects with; null if it does not. */
export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
