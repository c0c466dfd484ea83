import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProxyOptions {
  /**
   * Holds a request back until so long after the last change that was answered, in milliseconds: the other process learns of it a
   * moment later (the promise is five seconds), and a client that expects it at once would have to stay with one process.
   */
  settleMs?: number;
}

/** Longer than any client of the tests keeps a connection that it does not use, so that none is closed below a request. */
const KEEP_ALIVE_MS = 120_000;

/** What arrives there is no change that decisions or lists are cached from. */
const INGESTION = /^\/api\/(v1\/)?(batch|track|people|alias|pulse|catch)\b/;

/**
 * A plain HTTP proxy on the loopback interface that hands each request to the next server. One that takes no connections is passed
 * over. A connection that dies under a request takes the client's with it: the proxy makes up no answers, so a 5xx is a server's own.
 */
export class RoundRobinProxy {
  private next = 0;
  private changedAt = Number.NEGATIVE_INFINITY;

  private constructor(
    private readonly server: Server,
    private readonly agent: Agent,
    private readonly targets: readonly URL[],
    private readonly settleMs: number,
  ) {}

  static async open(targets: readonly string[], { settleMs = 0 }: ProxyOptions = {}): Promise<RoundRobinProxy> {
    const server = createServer({ requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS });
    const agent = new Agent({ keepAlive: true });
    const urls = targets.map((target) => new URL(target));
    const proxy = new RoundRobinProxy(server, agent, urls, settleMs);
    server.on('request', (incoming, answer) => void proxy.settleAndForward(incoming, answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.agent.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async settleAndForward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const rest = this.changedAt + this.settleMs - performance.now();
    if (rest > 0) await sleep(rest);
    this.forward(incoming, answer, this.next++, this.targets.length);
  }

  private forward(incoming: IncomingMessage, answer: ServerResponse, turn: number, tries: number): void {
    const target = this.targets[turn % this.targets.length] as URL;
    const outgoing = request({
      agent: this.agent,
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.rawHeaders,
    });
    let isUnderWay = false;
    const begin = (): void => {
      isUnderWay = true;
      incoming.pipe(outgoing);
    };
    outgoing.once('socket', (socket) => (socket.connecting ? socket.once('connect', begin) : begin()));
    outgoing.once('response', (response) => {
      if (incoming.method !== 'GET' && !INGESTION.test(incoming.url ?? '')) this.changedAt = performance.now();
      answer.writeHead(response.statusCode ?? 502, response.statusMessage, endToEnd(response.rawHeaders));
      response.once('error', () => incoming.socket.destroy());
      response.pipe(answer);
      // An answer that came before the whole body: the rest is read and dropped, or its sender would lose the answer.
      incoming.unpipe(outgoing).resume();
    });
    outgoing.on('error', () => {
      if (!isUnderWay && tries > 1) this.forward(incoming, answer, turn + 1, tries - 1);
      else if (!answer.headersSent) incoming.socket.destroy();
    });
    answer.once('close', () => outgoing.destroy());
  }
}

/** Without `Connection`, which speaks of the connection to the server alone. Names and values take turns. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => rawHeaders[at - (at % 2)]?.toLowerCase() !== 'connection');
}
