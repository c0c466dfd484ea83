import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `away` closes every connection, `frozen` never answers, `lost answer` passes inserts on but closes before the answer,
 * `half` passes half of an insert on and closes.
 */
export type Fault = 'none' | 'away' | 'frozen' | 'lost answer' | 'half';

/** Sits in front of a ClickHouse, passes everything on, and fails on request. */
export class ClickHouseGateway {
  fault: Fault = 'none';
  /** The first words of the statements passed on, such as `SELECT`, `INSERT INTO quarterdeck_event`. */
  readonly passed: string[] = [];
  /** The size in bytes of each insert received, passed on or not. */
  readonly insertedBytes: number[] = [];

  private constructor(
    private readonly target: URL,
    private readonly server: Server,
  ) {}

  static async open(target: string): Promise<ClickHouseGateway> {
    const server = createServer();
    const gateway = new ClickHouseGateway(new URL(target), server);
    server.on('request', (incoming, outgoing) => void gateway.pass(incoming, outgoing));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return gateway;
  }

  /** For CLICKHOUSE_URL: the target's user, password and database, at the gateway's address. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (this.fault === 'away') return void incoming.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    if (this.fault === 'frozen') return;
    const body = Buffer.concat(chunks);
    const statement = new URL(incoming.url ?? '/', this.target).searchParams.get('query') ?? body.toString('utf8');
    const isInsert = statement.includes('FORMAT JSONEachRow') && statement.startsWith('INSERT');
    if (isInsert) this.insertedBytes.push(body.length);
    this.passed.push(isInsert ? statement.slice(0, statement.indexOf(' FORMAT')) : (statement.split(/\s/)[0] ?? ''));
    const headers = { ...incoming.headers, host: this.target.host, 'content-length': String(body.length) };
    delete (headers as Record<string, unknown>)['transfer-encoding'];
    const onward = request({
      host: this.target.hostname,
      port: this.target.port,
      path: incoming.url,
      method: incoming.method,
      headers,
      agent: false,
    });
    onward.on('error', () => incoming.socket.destroy());
    onward.on('response', (answer) => {
      if (isInsert && this.fault === 'lost answer') {
        answer.resume();
        answer.on('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    if (isInsert && this.fault === 'half') {
      onward.write(body.subarray(0, body.length / 2));
      setTimeout(() => onward.destroy(), 20);
    } else onward.end(body);
  }
}
