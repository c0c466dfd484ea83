import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { EventHandlers, OpenEvents } from '../core/platform.js';

/** The server sends a sign of life every 15 s; after three of them without any the connection is dead. */
const SILENCE_MS = 45_000;
/** More than any event of the server has; what goes on without an end is not a stream of ours. */
const MOST_CHARACTERS = 64 * 1_048_576;

const BLOCK_END = /\r?\n\r?\n/;
const LONGEST_END = '\r\n\r\n'.length;

/**
 * Reads a stream of server-sent events (WHATWG HTML, 9.2.6) until it ends, which is told as `failed`, once. Unlike a browser's it does not come
 * back by itself: whoever opened it knows better when and where.
 */
export function openEventStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  handlers: EventHandlers,
  watch: (milliseconds: number, task: () => void) => () => void,
): OpenEvents {
  let isOver = false;
  const begin = url.startsWith('https:') ? httpsRequest : httpRequest;
  const asked = begin(url, { headers: { ...headers, accept: 'text/event-stream' }, agent: false });
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
  // `fetch` has no way to say that a process need not live on for what may never come.
  asked.on('socket', (socket) => socket.unref());
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
      // To look through all of a large event for each of its pieces would take the square of its length.
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
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') name = value;
    if (field === 'data') data = data === null ? value : `${data}\n${value}`;
  }
  if (data !== null) handlers.event(name, data);
}
