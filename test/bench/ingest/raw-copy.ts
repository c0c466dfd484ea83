import pg from 'pg';
import { EVENT_COLUMNS } from '../../../src/modules/ingest/copy/copy-binary.js';
import { CopyLink } from '../../../src/modules/ingest/copy/copy-link.js';
import { CopyStatement } from '../../../src/modules/ingest/copy/copy-statement.js';
import { IngestRequest } from '../../../src/modules/ingest/intake/ingest-request.js';
import { BatchScanner } from '../../../src/modules/ingest/scan/batch-scanner.js';

const COPY = `copy event (${EVENT_COLUMNS}) from stdin (format binary)`;

/** The rows of a batch in binary COPY format. */
export function encodedRows(projectId: string, body: string): Buffer {
  const tenant = { organizationId: projectId, projectId, environment: 'live', keyId: projectId } as const;
  const request = new IngestRequest(tenant, Date.now());
  const refusal = new BatchScanner(request).scan(Buffer.from(body));
  if (refusal) throw new Error(`the sample is refused: ${refusal.code}`);
  return request.rows.encoded();
}

/** PostgreSQL's own throughput in events per second: copies `rows`, a thousand per COPY, over two connections. */
export async function copyFor(databaseUrl: string, rows: Buffer, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  const lane = async (): Promise<number> => {
    const link = await CopyLink.open({ connectionString: databaseUrl });
    let copied = 0;
    while (performance.now() < until) {
      await link.run(COPY, [rows]);
      copied += 1_000;
    }
    await link.close();
    return copied;
  };
  const begun = performance.now();
  const copied = await Promise.all([lane(), lane()]);
  return (copied.reduce((sum, n) => sum + n) / (performance.now() - begun)) * 1_000;
}

/** Copies the rows this many times, with one COPY on each of two connections. Returns seconds. */
export async function copyOnce(databaseUrl: string, rows: Buffer, times: number): Promise<number> {
  const lane = async (repetitions: number): Promise<void> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const statement = new CopyStatement(
      COPY,
      Array.from({ length: repetitions }, () => rows),
    );
    client.query(statement);
    await statement.finished;
    await client.end();
  };
  const begun = performance.now();
  await Promise.all([lane(Math.ceil(times / 2)), lane(Math.floor(times / 2))]);
  return (performance.now() - begun) / 1_000;
}
