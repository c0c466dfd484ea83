import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';

/**
 * ClickHouse connection settings, named like the environment variables. Parts of the URL override the separate ones.
 */
export interface ClickHouseOptions {
  clickhouseUrl: string;
  clickhouseUser: string | null;
  clickhousePassword: string | null;
  clickhouseDatabase: string | null;
}

/** Values of `{name:Type}` in a statement. */
export type ClickHouseParameters = Readonly<Record<string, unknown>>;

const STATEMENT_MS = 300_000;
const READ_MS = 10_000;
const PING_MS = 1_000;
/** Also set as the server's own limit, so that an insert whose connection broke does not complete much later. */
const INSERT_SECONDS = 60;

/**
 * ClickHouse over HTTP. The client is loaded with the first statement, so that a process without this store does not
 * pay for it. Every method rejects when the server is unavailable, returns an error or is too slow; nothing is retried
 * here.
 */
export class ClickHouse {
  private client: Promise<ClickHouseClient> | null = null;
  private readonly closing = new AbortController();

  constructor(private readonly options: ClickHouseOptions) {}

  /** Runs a statement without result rows, for at most five minutes. */
  async command(query: string, parameters: ClickHouseParameters = {}): Promise<void> {
    const client = await this.open();
    await client.command({
      query,
      query_params: { ...parameters },
      clickhouse_settings: { wait_end_of_query: 1, mutations_sync: '2' },
      abort_signal: this.within(STATEMENT_MS),
    });
  }

  /** Stores rows, each a JSON object text keyed by column; all or none. */
  async insert(table: string, lines: readonly string[]): Promise<void> {
    const client = await this.open();
    const { stream } = await client.exec({
      query: `INSERT INTO ${table} FORMAT JSONEachRow`,
      values: Readable.from([lines.join('\n')], { objectMode: false }),
      clickhouse_settings: {
        wait_end_of_query: 1,
        async_insert: 0,
        max_execution_time: INSERT_SECONDS,
        max_insert_block_size: '1048576',
        max_partitions_per_insert_block: '0',
      },
      abort_signal: this.within(INSERT_SECONDS * 1000),
    });
    for await (const _ of stream);
  }

  /**
   * The rows of a query, within ten seconds. Depending on the server's version, 64-bit numbers are strings or numbers.
   */
  async rows<Row>(query: string, parameters: ClickHouseParameters = {}): Promise<Row[]> {
    const client = await this.open();
    const result = await client.query({
      query,
      query_params: { ...parameters },
      format: 'JSONEachRow',
      clickhouse_settings: { wait_end_of_query: 1, max_execution_time: READ_MS / 1000 },
      abort_signal: this.within(READ_MS),
    });
    return result.json<Row>();
  }

  /** Rejects unless the server answers within a second. */
  async ping(): Promise<void> {
    const client = await this.open();
    const answer = await client.ping({ select: false, abort_signal: this.within(PING_MS) });
    if (!answer.success) throw answer.error;
  }

  /** Aborts running requests, which reject, and accepts no more. */
  async close(): Promise<void> {
    this.closing.abort(new Error('the connection to ClickHouse was closed'));
    await (await this.client)?.close();
  }

  private within(ms: number): AbortSignal {
    this.closing.signal.throwIfAborted();
    return AbortSignal.any([AbortSignal.timeout(ms), this.closing.signal]);
  }

  private open(): Promise<ClickHouseClient> {
    this.client ??= connect(this.options);
    return this.client;
  }
}

async function connect(options: ClickHouseOptions): Promise<ClickHouseClient> {
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
  const url = new URL(options.clickhouseUrl);
  const part = (text: string) => decodeURIComponent(text) || null;
  return createClient({
    url: url.origin,
    username: part(url.username) ?? options.clickhouseUser ?? 'default',
    password: part(url.password) ?? options.clickhousePassword ?? '',
    database: part(url.pathname.slice(1)) ?? options.clickhouseDatabase ?? 'default',
    application: 'quarterdeck',
    request_timeout: STATEMENT_MS,
    use_multipart_params_auto: true,
    // Callers log failures; the client's own log would show statements with their values.
    log: { level: ClickHouseLogLevel.OFF },
  });
}
