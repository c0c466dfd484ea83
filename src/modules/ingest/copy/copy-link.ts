import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import { inSpan, type Tracer } from '../../../kernel/tracing/tracer.js';
import { type CopyData, CopyStatement, type TextRow } from './copy-statement.js';

/** A frozen database must not keep requests forever: after this the connection is given up. */
const STATEMENT_TIMEOUT_MS = 20_000;

/**
 * One open connection of its own to PostgreSQL for bulk writes, used by one writer at a time. A failure on the wire leaves the outcome of a
 * COMMIT unknown; the caller must not repeat it. A broken link stays broken, so a transaction never continues on another one.
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

  /** Runs a query string of the simple protocol as one transaction; `data` are the rows of the COPY in it. */
  async run(text: string, data: CopyData | null = null): Promise<TextRow[]> {
    return inSpan(this.tracer, 'client', 'copy', { 'db.system.name': 'postgresql' }, () => {
      const statement = new CopyStatement(text, data);
      this.client.query(statement);
      return this.guarded(statement.finished);
    });
  }

  /** Runs one statement with parameters. */
  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.guarded(this.client.query<Row>(text, values));
    return rows;
  }

  /** Gives the connection up at once; the server rolls back what was not committed. */
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

/** Keeps one {@link CopyLink}, opened when it is first needed and again after it broke. */
export class CopyConnection {
  private link: CopyLink | null = null;

  /** `prelude` is run on every new link before it is used. */
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
