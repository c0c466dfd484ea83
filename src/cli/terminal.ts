import { stripVTControlCharacters } from 'node:util';

/** Results, for programs to read on. */
export function say(line: string): void {
  process.stdout.write(`${plain(line)}\n`);
}

/** A result as one JSON document. */
export function sayJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Messages, for people. */
export function tell(line: string): void {
  clearProgress();
  process.stderr.write(`${plain(line)}\n`);
}

/** File names and server texts must not steer the terminal. */
const plain = (line: string): string =>
  stripVTControlCharacters(line).replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '?');

const PAUSE_MS = 100;
let shownAt = -PAUSE_MS;
let isShown = false;

/** One line that takes the place of the last, on terminals only. */
export function showProgress(line: string): void {
  const now = performance.now();
  if (!process.stderr.isTTY || now - shownAt < PAUSE_MS) return;
  shownAt = now;
  isShown = true;
  process.stderr.write(`\r\x1b[K${plain(line).slice(0, (process.stderr.columns || 80) - 1)}`);
}

export function clearProgress(): void {
  if (isShown) process.stderr.write('\r\x1b[K');
  isShown = false;
}

/** As people say sizes: `12.3 MB`. */
export const shownSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
