/** Text of the event stream format (WHATWG HTML, 9.2.5). Data is JSON in one line, so that no line break can end an event early. */

/** An event of the default name, or of another; `id` is what a client sends as `Last-Event-ID` when it comes back. */
export function eventText({ event, id, data }: { event?: string; id?: string; data: string }): string {
  return `${event ? `event: ${event}\n` : ''}${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** Says after how many milliseconds a client that loses its connection should come back. */
export const retryText = (milliseconds: number): string => `retry: ${Math.round(milliseconds)}\n\n`;

/** Nothing but a sign of life, which no client sees. */
export const PING = ':\n\n';

/** Headers of a stream: nothing on the way stores it, changes it or holds parts of it back. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};
