import { Client } from 'pg';
import { codeOf } from '../../../kernel/database/database-failures.js';

/** Longest wait for a sweep, which is repeated every second: a connection that takes longer is given up. */
const SWEEP_TIMEOUT_MS = 15_000;

/** First half of the advisory lock of every delivery worker; the second is the worker's number. */
const LOCK_CLASS = 0x77686b;

const FREE_DEAD = `
with dead as (
  delete from webhook_worker w
   where not exists (select from pg_locks l
                      where l.locktype = 'advisory' and l.classid = ${LOCK_CLASS} and l.objid = w.id and l.granted
                        and l.database = (select oid from pg_database where datname = current_database()))
  returning w.id
)
update webhook_queue set leased_until = '-infinity'
 where leased_until > '-infinity' and lease_owner in (select id from dead)`;

/**
 * A worker's claim to be alive: an advisory lock held by its own connection. PostgreSQL releases it when the process dies, however it dies,
 * so the leases of a killed worker are free within the next sweep rather than after their full time.
 */
export class WorkerPresence {
  private client: Client | null = null;
  private own = 0;

  constructor(
    private readonly databaseUrl: string,
    private readonly onLost: () => void,
  ) {}

  /** This worker's number, the owner of its leases. */
  get number(): number {
    return this.own;
  }

  get isHeld(): boolean {
    return this.client !== null;
  }

  /** Takes a number and its lock. */
  async join(): Promise<void> {
    const client = new Client({
      connectionString: this.databaseUrl,
      connectionTimeoutMillis: 5_000,
      query_timeout: SWEEP_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      // Lock and row appear together: a sweep never sees a number that isn't locked yet.
      await client.query('begin');
      const { rows } = await client.query<{ id: number }>("select nextval('webhook_worker_id_seq')::integer as id");
      this.own = rows[0]?.id ?? 0;
      await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, this.own]);
      await client.query('insert into webhook_worker (id) values ($1)', [this.own]);
      await client.query('commit');
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.client = client;
  }

  /** Frees the leases of dead workers. */
  async sweep(): Promise<void> {
    const { client } = this;
    try {
      await client?.query({ name: 'webhook_free_dead', text: FREE_DEAD });
    } catch (error) {
      // An error without a code is not the database's: it does not answer on this connection.
      const isSilent = codeOf(error) === '';
      if (isSilent) client?.connection.stream.destroy();
      throw error;
    }
  }

  async leave(): Promise<void> {
    const client = this.client;
    this.client = null;
    await client?.end().catch(() => {});
  }

  private lost(client: Client): void {
    if (this.client !== client) return;
    this.client = null;
    this.onLost();
  }
}
