import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProxyOptions {
  /**
   * Holds a request back until this many milliseconds after the last answered change. The other process learns of a
   * change a moment later (the promise is five seconds), and a client that expects it at once would have to stay with
   * one process.
   */
  settleMs?: number;
}

/** Longer than any test client keeps an unused connection, so that none is closed under a request. */
const KEEP_ALIVE_MS = 120_000;

/** What arrives here does not change anything that decisions or lists are cached from. */
const INGESTION = /^\/api\/(v1\/)?(batch|track|people|alias|pulse|catch)\b/;

/**
 * A plain HTTP proxy on the loopback interface that passes each request to the next server and skips servers that
 * accept no connections. If a connection fails during a request, so does the client's: the proxy makes up no answers,
 * so a 5xx always comes from a server.
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
      // The answer came before the whole body was sent. The rest is read and dropped, or its sender would lose the
      // answer.
      incoming.unpipe(outgoing).resume();
    });
    outgoing.on('error', () => {
      if (!isUnderWay && tries > 1) this.forward(incoming, answer, turn + 1, tries - 1);
      else if (!answer.headersSent) incoming.socket.destroy();
    });
    answer.once('close', () => outgoing.destroy());
  }
}

/** Drops `Connection`, which only concerns the connection to the server. Names and values alternate. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => rawHeaders[at - (at % 2)]?.toLowerCase() !== 'connection');
}
