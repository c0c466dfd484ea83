import { HOUR_MS } from '../../../../src/kernel/values/durations.js';
import { noteRowsSql } from '../../../../src/modules/ingest/intake/event-notes.js';
import type { World } from '../../../support/factories/factories.js';
import type { TestApp } from '../../../support/test-app.js';

/** One hour for a whole file, even if the next one begins meanwhile. */
export const THIS_HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
/** The start of the hour this many hours ago. */
export const hour = (ago: number): number => THIS_HOUR - ago * HOUR_MS;

export interface Row {
  receivedAt: number;
  occurredAt?: number;
  name: string;
  distinctId?: string;
}

/** Stores events as they were received then, in one transaction with its note. */
export async function storeAsReceived(
  { app }: TestApp,
  { projectId }: World,
  rows: readonly Row[],
  { commit = true } = {},
): Promise<() => Promise<void>> {
  const client = await app.pool.connect();
  await client.query('begin');
  await client.query(
    `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
     select (left(event_id_floor(r.received)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, $2, 'live', r.name, r.id, r.occurred, '{}'
       from jsonb_to_recordset($1::jsonb) as r(received timestamptz, occurred timestamptz, name text, id text)`,
    [
      JSON.stringify(
        rows.map(({ receivedAt, occurredAt = receivedAt, name, distinctId = 'somebody' }) => ({
          received: new Date(receivedAt),
          occurred: new Date(occurredAt),
          name,
          id: distinctId,
        })),
      ),
      projectId,
    ],
  );
  const times = rows.map(({ receivedAt }) => receivedAt);
  const noted = { count: rows.length, idsFrom: Math.min(...times), idsTo: Math.max(...times) };
  await client.query(noteRowsSql([{ tenant: { projectId, environment: 'live' }, rows: noted }]));
  const finish = async () => {
    await client.query('commit');
    client.release();
  };
  if (commit) await finish();
  return finish;
}

/** Makes the database take this for the last settled minute, the clock by which counts and notes go. */
export const settleAt = ({ app }: TestApp, ms: number) =>
  app.pool.query(
    `create or replace function settled_minute() returns timestamptz language sql volatile as $$ select to_timestamp(${ms / 1000}) $$`,
  );

/** Live events of a name as the schema lists them, newest first. */
export async function listed(
  { owner, projectId }: World,
  name: string,
  first = 100,
  after?: string,
): Promise<{ ids: string[]; total: number; end: string }> {
  const { events } = await owner.client.graphql<{
    events: { nodes: { id: string }[]; totalCount: number; pageInfo: { endCursor: string } };
  }>(
    `query($p: ID!, $name: String, $first: Int!, $after: String) { events(projectId: $p, environment: live, eventName: $name, first: $first, after: $after) {
       totalCount nodes { id } pageInfo { endCursor } } }`,
    { p: projectId, name, first, after },
  );
  return { ids: events.nodes.map(({ id }) => id), total: events.totalCount, end: events.pageInfo.endCursor };
}

/** Pseudorandom numbers, the same in every run. */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
