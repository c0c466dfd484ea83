import { Client } from 'pg';

/**
 * A right that one process of a database has at a time: an advisory lock held by a connection of its own. PostgreSQL frees it
 * when the process dies, however it dies.
 */
export class SingletonLock {
  private client: Client | null = null;

  constructor(
    private readonly databaseUrl: string,
    private readonly key: number,
  ) {}

  get isHeld(): boolean {
    return this.client !== null;
  }

  /** Whether this process has the right now; false while another one has it. */
  async acquire(): Promise<boolean> {
    if (this.client) return true;
    const client = new Client({
      connectionString: this.databaseUrl,
      application_name: 'quarterdeck singleton',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    const forget = () => {
      if (this.client === client) this.client = null;
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [this.key]);
      if (rows[0]?.taken) this.client = client;
    } finally {
      if (this.client !== client) await client.end().catch(() => {});
    }
    return this.isHeld;
  }

  async release(): Promise<void> {
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => {});
  }
}
