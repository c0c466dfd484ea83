import { connect, type Socket } from 'node:net';
import { until } from '../../support/until.js';

const OPENED_AT_ONCE = 50;

/** A pass that came with a notice, and when. */
interface Told {
  readonly pass: string;
  readonly at: number;
}

/** An open stream over a plain socket, which costs its client almost nothing. */
export class IdleListener {
  /** Number of notices received. */
  heard = 0;
  private hear: (told: Told) => void = () => undefined;

  private constructor(private readonly socket: Socket) {}

  /** Opens this many streams with one key. */
  static async open(url: string, key: string, count: number): Promise<IdleListener[]> {
    const listeners: IdleListener[] = [];
    while (listeners.length < count) {
      const length = Math.min(OPENED_AT_ONCE, count - listeners.length);
      listeners.push(...(await Promise.all(Array.from({ length }, () => IdleListener.opened(url, key)))));
    }
    return listeners;
  }

  /** The next notice. */
  told(): Promise<Told> {
    return new Promise((resolve) => {
      this.hear = resolve;
    });
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  close(): void {
    this.socket.destroy();
  }

  private static async opened(url: string, key: string): Promise<IdleListener> {
    const { hostname: host, port } = new URL(url);
    const socket = connect({ host, port: Number(port) });
    const listener = new IdleListener(socket);
    let isReady = false;
    let refusal: Error | null = null;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      isReady ||= text.includes('event: ready');
      if (/^HTTP\/1\.1 [45]/.test(text)) refusal = new Error(`No stream: ${text.slice(0, 2_000)}`);
      const [, pass] = /"refetch":"([^"]+)"/.exec(text) ?? [];
      if (pass === undefined) return;
      listener.heard += 1;
      listener.hear({ pass, at: performance.now() });
    });
    socket.write(`GET /api/v1/stream HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${key}\r\n\r\n`);
    await until('a stream', () => {
      if (refusal !== null) throw refusal;
      return isReady;
    });
    return listener;
  }
}
