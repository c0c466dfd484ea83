import type { EventHandlers, OpenEvents } from '../core/platform.js';
import { openRequest } from './http-request.js';

/** The server sends a heartbeat every 15 s; after three missed ones the connection is dead. */
const SILENCE_MS = 45_000;
/** Larger than any server event; anything beyond is not one of our streams. */
const MOST_CHARACTERS = 64 * 1_048_576;

const BLOCK_END = /\r?\n\r?\n/;
const LONGEST_END = '\r\n\r\n'.length;

/**
 * Reads a stream of server-sent events (WHATWG HTML, 9.2.6) until it ends, then calls `failed` once. Unlike a browser's
 * EventSource it does not reconnect: the caller knows better when and where.
 */
export function openEventStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  handlers: EventHandlers,
  watch: (milliseconds: number, task: () => void) => () => void,
): OpenEvents {
  let isOver = false;
  const asked = openRequest(url, { headers: { ...headers, accept: 'text/event-stream' } });
  const fail = (): void => {
    if (isOver) return;
    close();
    handlers.failed();
  };
  let stopWatch = watch(SILENCE_MS, fail);
  const close = (): void => {
    isOver = true;
    stopWatch();
    asked.destroy();
  };
  asked.on('error', fail);
  asked.on('response', (answer) => {
    if (answer.statusCode !== 200) return fail();
    let text = '';
    let ending = '';
    answer.setEncoding('utf8');
    answer.on('data', (piece: string) => {
      stopWatch();
      stopWatch = watch(SILENCE_MS, fail);
      text += piece;
      const latest = ending + piece;
      ending = latest.slice(1 - LONGEST_END);
      // Searching all of a large event for each of its pieces would take quadratic time.
      if (BLOCK_END.test(latest)) {
        const blocks = text.split(BLOCK_END);
        text = blocks.pop() ?? '';
        for (const block of blocks) if (!isOver) tell(block, handlers);
      }
      if (text.length > MOST_CHARACTERS) fail();
    });
    answer.on('close', fail);
    answer.on('error', fail);
  });
  asked.end();
  return { close };
}

function tell(block: string, handlers: EventHandlers): void {
  let [name, data] = ['message', null as string | null];
  for (const line of block.split(/\r?\n/)) {
    // A byte order mark may come first.
    const [, field, value = ''] = /^\uFEFF?([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') name = value;
    if (field === 'data') data = data === null ? value : `${data}\n${value}`;
  }
  if (data !== null) handlers.event(name, data);
}
