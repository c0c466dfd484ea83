/**
 * A server that ingests the wrong way, for the torture harness to catch: `node naive-server.js <port> <database url>
 * <way>`. `ack-first` answers and stores afterwards; `row-by-row` stores every operation in its own transaction, then
 * answers.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';

const STORED_AFTER_MS = 30;

interface Operation {
  type: string;
  payload: { distinct_id: string; event_name?: string };
}

const [port, databaseUrl, way] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
const projectId = randomUUID();

async function store({ type, payload }: Operation): Promise<void> {
  if (type === 'track') {
    await pool.query(
      `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
       values (event_id_floor(now()), $1, 'live', $2, $3, now(), '{}')`,
      [projectId, payload.event_name, payload.distinct_id],
    );
  } else {
    await pool.query(
      `insert into person_id (project_id, environment, distinct_id, person_id, created_at) values ($1, 'live', $2, $2, now())`,
      [projectId, payload.distinct_id],
    );
  }
}

async function storeAll(operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) await store(operation);
}

createServer(async (request, response) => {
  const { operations } = JSON.parse(await text(request)) as { operations: Operation[] };
  if (way === 'ack-first') setTimeout(() => void storeAll(operations), STORED_AFTER_MS);
  else await storeAll(operations);
  response.end('{"ok":true}');
}).listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
