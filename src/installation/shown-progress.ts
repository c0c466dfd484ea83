import { Progress } from '../storage/backup/progress.js';

const onTerminal = process.stderr.isTTY;
/** On a terminal, one line that updates; otherwise a line now and then, so that the log of a nightly backup stays short. */
const SHOW_EVERY_MS = onTerminal ? 250 : 10_000;

export function shownProgress(): Progress {
  let shownAt = performance.now();
  return new Progress({
    show: (line) => {
      if (performance.now() - shownAt < SHOW_EVERY_MS) return;
      shownAt = performance.now();
      process.stderr.write(onTerminal ? `\x1b[K${line}\r` : `${line}\n`);
    },
  });
}

/** Ends the progress line before further output. */
export function clearProgress(): void {
  if (onTerminal) process.stderr.write('\x1b[K');
}
