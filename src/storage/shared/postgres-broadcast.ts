import { Client } from 'pg';
import { GatheredCalls, ONE_GROUP_AT_A_TIME } from '../../kernel/database/gathered-calls.js';
import type { BroadcastTransport } from './broadcast-transport.js';

const CHANNEL = 'quarterdeck';
const RETRY_MS = 250;
const QUERY_TIMEOUT_MS = 2000;

/** Broadcasts through PostgreSQL's LISTEN and NOTIFY, on one connection that is reopened whenever it breaks. */
export class PostgresBroadcast implements BroadcastTransport {
  private client: Client | undefined;
  private readonly notices = new GatheredCalls<string, undefined>(ONE_GROUP_AT_A_TIME, (texts) => this.notify(texts));
  private retry: NodeJS.Timeout | undefined;
  private deliver: (text: string) => void = () => {};
  private onListening: () => void = () => {};
  private closed = false;
  private readonly dropped = new WeakSet<Client>();

  constructor(private readonly url: string) {}

  open(deliver: (text: string) => void, onListening: () => void): void {
    this.deliver = deliver;
    this.onListening = onListening;
    void this.connect();
  }

  send(text: string): Promise<void> {
    return this.notices.make('', text);
  }

  reset(): void {
    if (this.client) this.drop(this.client);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => {});
  }

  private async notify(texts: readonly string[]): Promise<undefined[]> {
    const client = this.client;
    if (!client) throw new Error('Not connected to PostgreSQL');
    try {
      await client.query('select pg_notify($1, text) from unnest($2::text[]) as text', [CHANNEL, texts]);
    } catch (error) {
      this.drop(client);
      throw error;
    }
    return texts.map(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      application_name: 'quarterdeck broadcast',
      connectionTimeoutMillis: QUERY_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', () => this.drop(client));
    client.on('end', () => this.drop(client));
    client.on('notification', ({ payload }) => this.deliver(payload ?? ''));
    try {
      await client.connect();
      // Messages are not persisted, so their commit need not wait for the disk, unlike those of changes.
      await client.query(`set synchronous_commit = off; listen ${CHANNEL}`);
      if (this.closed) return void (await client.end());
      this.client = client;
      this.onListening();
    } catch {
      this.drop(client);
    }
  }

  private drop(client: Client): void {
    if (this.dropped.has(client)) return;
    this.dropped.add(client);
    if (this.client === client) this.client = undefined;
    client.end().catch(() => {});
    // A frozen server never answers the termination, so the socket would stay open.
    client.connection.stream.destroy();
    if (this.closed) return;
    this.retry = setTimeout(() => void this.connect(), RETRY_MS);
    this.retry.unref();
  }
}
