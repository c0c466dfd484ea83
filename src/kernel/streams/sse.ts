/**
 * Text in the event stream format (WHATWG HTML, 9.2.5). Data is single-line JSON, so that no line break can end an
 * event early.
 */

/** An event with the default or another name; `id` is what a client sends as `Last-Event-ID` when it reconnects. */
export function eventText({ event, id, data }: { event?: string; id?: string; data: string }): string {
  return `${event ? `event: ${event}\n` : ''}${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** Sets after how many milliseconds a client should reconnect. */
export const retryText = (milliseconds: number): string => `retry: ${Math.round(milliseconds)}\n\n`;

/** A heartbeat, invisible to clients. */
export const PING = ':\n\n';

/** Headers of a stream that keep proxies from storing, changing or buffering it. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};
