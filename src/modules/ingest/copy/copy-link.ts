import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import { inSpan, type Tracer } from '../../../kernel/tracing/tracer.js';
import { type CopyData, CopyStatement, type TextRow } from './copy-statement.js';

/** A frozen database must not hold requests forever: after this time the connection is dropped. */
const STATEMENT_TIMEOUT_MS = 20_000;

/**
 * A dedicated open connection to PostgreSQL for bulk writes, used by one writer at a time. A wire failure leaves the outcome of a COMMIT
 * unknown; the caller must not repeat it. A broken link stays broken, so a transaction never continues on another one.
 */
export class CopyLink {
  private broken = false;

  private constructor(
    private readonly client: Client,
    private readonly tracer: Tracer | undefined,
  ) {}

  static async open(config: ClientConfig, tracer?: Tracer): Promise<CopyLink> {
    const client = new Client({ keepAlive: true, ...config });
    const link = new CopyLink(client, tracer);
    const forget = () => {
      link.broken = true;
    };
    client.on('error', forget);
    client.on('end', forget);
    await client.connect();
    return link;
  }

  get isBroken(): boolean {
    return this.broken;
  }

  /** Runs a simple-protocol query string as one transaction; `data` are the rows of its COPY. */
  async run(text: string, data: CopyData | null = null): Promise<TextRow[]> {
    return inSpan(this.tracer, 'client', 'copy', { 'db.system.name': 'postgresql' }, () => {
      const statement = new CopyStatement(text, data);
      this.client.query(statement);
      return this.guarded(statement.finished);
    });
  }

  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.guarded(this.client.query<Row>(text, values));
    return rows;
  }

  /** Drops the connection at once; the server rolls back uncommitted work. */
  break(): void {
    this.broken = true;
    this.client.connection.stream.destroy();
  }

  async close(): Promise<void> {
    this.broken = true;
    await this.client.end();
  }

  private async guarded<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.break(), STATEMENT_TIMEOUT_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Holds one {@link CopyLink}, opened on first use and again after it broke. */
export class CopyConnection {
  private link: CopyLink | null = null;

  /** `prelude` runs on every new link before it is used. */
  constructor(
    private readonly config: ClientConfig,
    private readonly prelude: string,
    private readonly tracer?: Tracer,
  ) {}

  async open(): Promise<CopyLink> {
    if (!this.link || this.link.isBroken) {
      const link = await CopyLink.open(this.config, this.tracer);
      await link.run(this.prelude);
      this.link = link;
    }
    return this.link;
  }

  async close(): Promise<void> {
    const { link } = this;
    this.link = null;
    if (link && !link.isBroken) await link.close();
  }
}
