import { listening, onlyOurs, speakers } from './process-events.js';

/** Called when the process ends, to send what remains within that many milliseconds. */
export type LastWords = (milliseconds: number) => Promise<void>;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Sends what is waiting when the process ends by itself or by a signal. A signal without other listeners ends the
 * process as usual, with that signal's exit code; if the application listens, it decides when to exit, and everything
 * continues until then. Returns a function that stops listening.
 */
export function beforeEnd(lastWords: LastWords, milliseconds: number): () => void {
  let isSaid = false;
  const say = async (): Promise<void> => {
    if (isSaid) return;
    isSaid = true;
    await lastWords(milliseconds).catch(() => undefined);
  };
  // Fires again after the work it waited for; the second time nothing is left, and the process ends.
  const stops = [listening('beforeExit', () => void say())];
  for (const signal of SIGNALS) {
    const stop = listening(signal, () => {
      if (!onlyOurs(signal)) return;
      speakers.speaking += 1;
      void say().finally(() => {
        stop();
        speakers.speaking -= 1;
        // Warnings are printed in the next turn.
        if (speakers.speaking === 0) setImmediate(() => process.kill(process.pid, signal));
      });
    });
    stops.push(stop);
  }
  return () => {
    for (const stop of stops) stop();
  };
}
