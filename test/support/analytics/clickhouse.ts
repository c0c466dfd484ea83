import { randomUUID } from 'node:crypto';
import { ClickHouseGateway } from './clickhouse-gateway.js';
import { ClickHouseStandIn } from './clickhouse-stand-in.js';

/** The password in the settings if the server needs none; it must never appear in a log. */
export const PASSWORD = 'password-of-clickhouse';

/** A ClickHouse for one test, behind a gateway that fails on request. */
export interface TestClickHouse {
  gateway: ClickHouseGateway;
  /** For CLICKHOUSE_URL. */
  url: string;
  /** Runs a statement without going through the gateway and returns its rows. */
  rows<Row>(query: string): Promise<Row[]>;
  run(statement: string): Promise<unknown>;
  insert(table: string, row: object): Promise<unknown>;
  close(): Promise<void>;
}

/** A database on the server at TEST_CLICKHOUSE_URL, or a stand-in. */
export async function openTestClickHouse(): Promise<TestClickHouse> {
  const server = process.env.TEST_CLICKHOUSE_URL;
  const standIn = server ? null : await ClickHouseStandIn.open();
  const root = new URL(server ?? (standIn as ClickHouseStandIn).url);
  const database = `qd_test_${randomUUID().replaceAll('-', '')}`;
  if (server) await send(root, `CREATE DATABASE ${database}`);
  const target = new URL(`/${database}`, root);
  target.username = root.username || 'default';
  target.password = root.password || PASSWORD;
  const gateway = await ClickHouseGateway.open(target.href);
  return {
    gateway,
    url: gateway.url,
    async rows<Row>(query: string) {
      const text = await send(target, `${query} FORMAT JSONEachRow`);
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row);
    },
    run: (statement) => send(target, statement),
    insert: (table, row) => send(target, `INSERT INTO ${table} FORMAT JSONEachRow ${JSON.stringify(row)}`),
    async close() {
      await gateway.close();
      if (server) await send(root, `DROP DATABASE ${database}`);
      await standIn?.close();
    },
  };
}

async function send(target: URL, statement: string): Promise<string> {
  const url = new URL('/', target);
  if (target.pathname !== '/') url.searchParams.set('database', target.pathname.slice(1));
  url.username = '';
  url.password = '';
  const answer = await fetch(url, {
    method: 'POST',
    body: statement,
    headers: {
      authorization: `Basic ${btoa(`${target.username || 'default'}:${decodeURIComponent(target.password)}`)}`,
    },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
