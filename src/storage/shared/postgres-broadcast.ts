import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import type { BroadcastTransport } from './broadcast-transport.js';

const CHANNEL = 'quarterdeck';
const RETRY_MS = 250;
const QUERY_TIMEOUT_MS = 2000;

/** Broadcasts through PostgreSQL's LISTEN and NOTIFY, on one connection that is made again whenever it breaks. */
export class PostgresBroadcast implements BroadcastTransport {
  private client: Client | undefined;
  private readonly waiting: string[] = [];
  private sending: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private deliver: (text: string) => void = () => {};
  private closed = false;
  private readonly dropped = new WeakSet<Client>();

  constructor(private readonly url: string) {}

  open(deliver: (text: string) => void): void {
    this.deliver = deliver;
    void this.connect();
  }

  /** Texts of one turn of the event loop leave together, and so do those that come while others are under way. */
  send(text: string): Promise<void> {
    this.waiting.push(text);
    this.sending ??= this.sendWaiting().finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  reset(): void {
    if (this.client) this.drop(this.client);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => {});
  }

  private async sendWaiting(): Promise<void> {
    await nextTurn();
    while (this.waiting.length > 0) {
      const texts = this.waiting.splice(0);
      const client = this.client;
      if (!client) throw new Error('Not connected to PostgreSQL');
      try {
        await client.query('select pg_notify($1, text) from unnest($2::text[]) as text', [CHANNEL, texts]);
      } catch (error) {
        this.drop(client);
        throw error;
      }
    }
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
      // What is told is kept by nobody, and so its commit waits for no disk, which those of changes need.
      await client.query(`set synchronous_commit = off; listen ${CHANNEL}`);
      if (this.closed) await client.end();
      else this.client = client;
    } catch {
      this.drop(client);
    }
  }

  private drop(client: Client): void {
    if (this.dropped.has(client)) return;
    this.dropped.add(client);
    if (this.client === client) this.client = undefined;
    client.end().catch(() => {});
    // A frozen server never answers the farewell, and the socket, which the driver's types leave out, would stay.
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    if (this.closed) return;
    this.retry = setTimeout(() => void this.connect(), RETRY_MS);
    this.retry.unref();
  }
}
