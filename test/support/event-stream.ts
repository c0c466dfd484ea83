import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { until } from './until.js';

/** An event as a client receives it. */
export interface StreamEvent {
  event: string;
  id: string;
  /** The parsed JSON. */
  data: Record<string, unknown>;
}

/** A stream of server-sent events over plain HTTP, read as the standard specifies (WHATWG HTML, 9.2.6). */
export class EventStream {
  readonly events: StreamEvent[] = [];
  /** Comments, which show that the stream is alive. */
  pings = 0;
  /** The latest reconnection time in milliseconds. */
  retry: number | null = null;
  ended = false;
  private id = '';

  private constructor(
    readonly response: Response,
    private readonly controller: AbortController,
  ) {
    void this.read();
  }

  /** Opens a stream; whatever the answer is, it is not read to the end. */
  static async open(url: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<EventStream> {
    const controller = new AbortController();
    const response = await fetch(url, { ...init, headers, signal: controller.signal });
    return new EventStream(response, controller);
  }

  get status(): number {
    return this.response.status;
  }

  /** The first event with this name that has arrived or arrives soon. */
  async next(name: string, after = 0): Promise<StreamEvent> {
    return until(`the event ${name}`, () => this.events.slice(after).find(({ event }) => event === name));
  }

  names(): string[] {
    return this.events.map(({ event }) => event);
  }

  async end(): Promise<void> {
    await until('the end of the stream', () => this.ended);
  }

  close(): void {
    this.controller.abort();
  }

  private async read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.take(block);
      }
    } catch {
      // The client or the server hung up.
    }
    this.ended = true;
  }

  private take(block: string): void {
    const fields = block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')] as const;
    });
    const last = (name: string) => fields.findLast(([field]) => field === name)?.[1];
    if (fields.some(([field]) => field === '')) this.pings += 1;
    const retry = last('retry');
    if (retry !== undefined) this.retry = Number(retry);
    this.id = last('id') ?? this.id;
    const data = last('data');
    if (data === undefined) return;
    this.events.push({ event: last('event') ?? 'message', id: this.id, data: data === '' ? {} : JSON.parse(data) });
  }
}

/**
 * The whole body. An event stream never ends, so only its beginning, without the reconnection time, which differs for
 * each client.
 */
export async function bodyOf(response: IncomingMessage): Promise<string> {
  if (response.headers['content-type'] !== 'text/event-stream')
    return Buffer.concat((await response.toArray()) as Buffer[]).toString();
  const [chunk] = (await once(response, 'data')) as [Buffer];
  return chunk.toString().replace(/^retry: \d+/, 'retry');
}
