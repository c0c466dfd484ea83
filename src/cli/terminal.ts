import { stripVTControlCharacters } from 'node:util';

/** Prints a result to standard output. */
export function printLine(line: string): void {
  process.stdout.write(`${plain(line)}\n`);
}

/** Prints a result as one JSON document. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints a message to standard error. */
export function printMessage(line: string): void {
  clearProgress();
  process.stderr.write(`${plain(line)}\n`);
}

/** Keeps control characters in file names and server messages from the terminal. */
const plain = (line: string): string =>
  stripVTControlCharacters(line).replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '?');

const PAUSE_MS = 100;
let shownAt = -PAUSE_MS;
let isShown = false;

/** Shows a line that replaces the previous one, on terminals only. */
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

/** A readable size: `12.3 MB`. */
export const shownSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
