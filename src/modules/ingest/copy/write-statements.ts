import type { QueryResultRow } from 'pg';
import type { AcceptedCounts, IngestRequest, InsertIdRow } from '../intake/ingest-request.js';

/** The SQL of an ingestion write besides its COPY, each statement for a whole group. */
export interface WriteConnection {
  query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]>;
}

const MEMORY = "interval '24 hours'";

const CLAIM_KEYS = `
  insert into ingest_request_key as k (project_id, environment, key_hash, used_at, answer)
  select p, e, h, $5, a from unnest($1::uuid[], $2::text[], $3::uuid[], $4::jsonb[]) as t(p, e, h, a) order by p, e, h
  on conflict (project_id, environment, key_hash) do update set used_at = excluded.used_at, answer = excluded.answer
    where k.used_at < $5::timestamptz - ${MEMORY}
  returning project_id, environment, key_hash`;

const READ_ANSWERS = `
  select k.project_id, k.environment, k.key_hash, k.answer
    from unnest($1::uuid[], $2::text[], $3::uuid[]) as t(p, e, h)
    join ingest_request_key k on k.project_id = p and k.environment = e and k.key_hash = h`;

const CLAIM_INSERT_IDS = `
  insert into ingest_insert_id as i (project_id, environment, id_hash, seen_at)
  select p, e, h, $4 from unnest($1::uuid[], $2::text[], $3::uuid[]) as t(p, e, h) order by p, e, h
  on conflict (project_id, environment, id_hash) do update set seen_at = excluded.seen_at
    where i.seen_at < $4::timestamptz - ${MEMORY}
  returning project_id, environment, id_hash`;

interface KeyRow extends QueryResultRow {
  project_id: string;
  environment: string;
  key_hash: string;
  answer: AcceptedCounts;
}

interface InsertIdReturn extends QueryResultRow {
  project_id: string;
  environment: string;
  id_hash: string;
}

const nameOf = (projectId: string, environment: string, hash: string): string =>
  `${projectId} ${environment} ${hash.replaceAll('-', '')}`;

const keyName = ({ tenant, idempotencyKey }: IngestRequest): string =>
  nameOf(tenant.projectId, tenant.environment, idempotencyKey as string);

/**
 * Remembers the `Idempotency-Key`s of a group for 24 hours, with the answers. Returns the answers of those that were used before:
 * their requests must not be stored again. No key may occur twice in `requests`.
 */
export async function claimRequestKeys(
  connection: WriteConnection,
  requests: readonly IngestRequest[],
  now: Date,
): Promise<Map<IngestRequest, AcceptedCounts>> {
  const keyed = requests.filter(({ idempotencyKey }) => idempotencyKey !== null);
  const replayed = new Map<IngestRequest, AcceptedCounts>();
  if (keyed.length === 0) return replayed;
  const columns = (of: readonly IngestRequest[]): unknown[] => [
    of.map(({ tenant }) => tenant.projectId),
    of.map(({ tenant }) => tenant.environment),
    of.map(({ idempotencyKey }) => idempotencyKey),
  ];
  const answers = keyed.map(({ counts }) => JSON.stringify(counts));
  const claimed = await connection.query<KeyRow>(CLAIM_KEYS, [...columns(keyed), answers, now]);
  const fresh = new Set(claimed.map((row) => nameOf(row.project_id, row.environment, row.key_hash)));
  const used = keyed.filter((request) => !fresh.has(keyName(request)));
  if (used.length === 0) return replayed;
  const rows = await connection.query<KeyRow>(READ_ANSWERS, columns(used));
  const answerOf = new Map(rows.map((row) => [nameOf(row.project_id, row.environment, row.key_hash), row.answer]));
  for (const request of used) {
    const answer = answerOf.get(keyName(request));
    if (answer) replayed.set(request, answer);
  }
  return replayed;
}

/** Remembers the `insert_id`s of a group for 24 hours and returns the rows that were seen before, in it or in storage. */
export async function claimInsertIds(
  connection: WriteConnection,
  requests: readonly Pick<IngestRequest, 'tenant' | 'insertIds'>[],
  now: Date,
): Promise<Set<InsertIdRow>> {
  const repeated = new Set<InsertIdRow>();
  const first = new Map<string, { projectId: string; environment: string; row: InsertIdRow }>();
  for (const { tenant, insertIds } of requests) {
    const { projectId, environment } = tenant;
    for (const row of insertIds) {
      const name = nameOf(projectId, environment, row.hash);
      if (first.has(name)) repeated.add(row);
      else first.set(name, { projectId, environment, row });
    }
  }
  if (first.size === 0) return repeated;
  const all = [...first.values()];
  const claimed = await connection.query<InsertIdReturn>(CLAIM_INSERT_IDS, [
    all.map(({ projectId }) => projectId),
    all.map(({ environment }) => environment),
    all.map(({ row }) => row.hash),
    now,
  ]);
  const fresh = new Set(claimed.map((row) => nameOf(row.project_id, row.environment, row.id_hash)));
  for (const [name, { row }] of first) if (!fresh.has(name)) repeated.add(row);
  return repeated;
}

/** Encoded rows without those that were seen before. */
export function rowsWithout(
  rows: Buffer,
  insertIds: readonly InsertIdRow[],
  repeated: ReadonlySet<InsertIdRow>,
): Buffer[] {
  if (repeated.size === 0) return rows.length > 0 ? [rows] : [];
  const parts: Buffer[] = [];
  let from = 0;
  for (const row of insertIds) {
    if (!repeated.has(row)) continue;
    if (row.from > from) parts.push(rows.subarray(from, row.from));
    from = row.to;
  }
  if (rows.length > from) parts.push(rows.subarray(from));
  return parts;
}
