import { Client } from 'pg';

/**
 * A lock that one process of a database holds at a time: an advisory lock on its own connection. PostgreSQL releases it
 * when the process dies for any reason.
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

  /** Whether this process now holds the lock. */
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
