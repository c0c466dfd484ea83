import type { QueryResultRow } from 'pg';
import type { AcceptedCounts, IngestRequest, InsertIdRow, RememberedRequest } from './ingest-request.js';

/** The SQL of an ingestion write besides its COPY, each statement for a whole group. */
export interface WriteConnection {
  query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]>;
}

const MEMORY = "interval '24 hours'";

const CLAIM_KEYS = `
  insert into ingest_request_key as k (project_id, environment, key_hash, used_at, body_hash, answer)
  select p, e, h, $6, b, a from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::jsonb[]) as t(p, e, h, b, a)
   order by p, e, h
  on conflict (project_id, environment, key_hash)
  do update set used_at = excluded.used_at, body_hash = excluded.body_hash, answer = excluded.answer
    where k.used_at < $6::timestamptz - ${MEMORY}
  returning project_id, environment, key_hash`;

const READ_ANSWERS = `
  select k.project_id, k.environment, k.key_hash, k.answer, coalesce(k.body_hash <> b, false) as is_other
    from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[]) as t(p, e, h, b)
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
  /** Whether the key was used with another body. */
  is_other: boolean;
}

interface InsertIdReturn extends QueryResultRow {
  project_id: string;
  environment: string;
  id_hash: string;
}

const nameOf = (projectId: string, environment: string, hash: string): string =>
  `${projectId} ${environment} ${hash.replaceAll('-', '')}`;

/** What became of the `Idempotency-Key`s of a group. */
interface ClaimedKeys {
  /** The answers for those used before with the same body: their requests must not be stored again. */
  readonly replayed: Map<IngestRequest, AcceptedCounts>;
  /** Those used before with another body; a warning is recorded for them once they are stored. */
  readonly reused: readonly IngestRequest[];
}

/**
 * Records the `Idempotency-Key`s of a group for 24 hours, with the answers. With another body it is another request, recorded separately.
 * No key may occur twice in `requests`.
 */
export async function claimRequestKeys(
  connection: WriteConnection,
  requests: readonly IngestRequest[],
  now: Date,
): Promise<ClaimedKeys> {
  const keyed = requests.filter(({ remembered }) => remembered !== null);
  const replayed = new Map<IngestRequest, AcceptedCounts>();
  const reused = await claimHashes(connection, keyed, ({ keyHash }) => keyHash, replayed, now);
  await claimHashes(connection, reused, ({ ownHash }) => ownHash, replayed, now);
  return { replayed, reused };
}

/** Claims one hash of each request; records the answers of repeats, and returns the requests whose hash belongs to another body. */
async function claimHashes(
  connection: WriteConnection,
  requests: readonly IngestRequest[],
  hashOf: (remembered: RememberedRequest) => string,
  replayed: Map<IngestRequest, AcceptedCounts>,
  now: Date,
): Promise<IngestRequest[]> {
  if (requests.length === 0) return [];
  const rememberedOf = ({ remembered }: IngestRequest) => remembered as RememberedRequest;
  const columns = (of: readonly IngestRequest[]): unknown[] => [
    of.map(({ tenant }) => tenant.projectId),
    of.map(({ tenant }) => tenant.environment),
    of.map((request) => hashOf(rememberedOf(request))),
    of.map((request) => rememberedOf(request).bodyHash),
  ];
  const name = (request: IngestRequest) =>
    nameOf(request.tenant.projectId, request.tenant.environment, hashOf(rememberedOf(request)));
  const answers = requests.map(({ counts }) => JSON.stringify(counts));
  const claimed = await connection.query<KeyRow>(CLAIM_KEYS, [...columns(requests), answers, now]);
  const fresh = new Set(claimed.map((row) => nameOf(row.project_id, row.environment, row.key_hash)));
  const used = requests.filter((request) => !fresh.has(name(request)));
  if (used.length === 0) return [];
  const rows = await connection.query<KeyRow>(READ_ANSWERS, columns(used));
  const found = new Map(rows.map((row) => [nameOf(row.project_id, row.environment, row.key_hash), row]));
  const others: IngestRequest[] = [];
  for (const request of used) {
    const row = found.get(name(request));
    if (row?.is_other) others.push(request);
    else if (row) replayed.set(request, row.answer);
  }
  return others;
}

/** Records the `insert_id`s of a group for 24 hours and returns the rows that were seen before, in it or in storage. */
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
