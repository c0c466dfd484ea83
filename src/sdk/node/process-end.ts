/** Called when the process ends, to send what remains within that many milliseconds. */
export type LastWords = (milliseconds: number) => Promise<void>;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** All library instances in the process, including those from other copies of this file; the last to finish ends it. */
interface Speakers {
  readonly listeners: Set<unknown>;
  speaking: number;
}
const KEY = Symbol.for('quarterdeck.speakers');
const place = globalThis as { [KEY]?: Speakers };
const speakers: Speakers = place[KEY] ?? { listeners: new Set(), speaking: 0 };
place[KEY] = speakers;

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
  const onExit = (): void => {
    void say();
  };
  process.on('beforeExit', onExit);
  const listeners = SIGNALS.map((signal) => {
    const onSignal = (): void => {
      const isOurs = process.listeners(signal).every((listener) => speakers.listeners.has(listener));
      if (!isOurs) return;
      speakers.speaking += 1;
      void say().finally(() => {
        stop();
        speakers.speaking -= 1;
        // Warnings are printed in the next turn.
        if (speakers.speaking === 0) setImmediate(() => process.kill(process.pid, signal));
      });
    };
    const stop = (): void => {
      process.off(signal, onSignal);
      speakers.listeners.delete(onSignal);
    };
    speakers.listeners.add(onSignal);
    // Runs first: an application's `once` listener is gone by the time it runs.
    process.prependListener(signal, onSignal);
    return stop;
  });
  return () => {
    process.off('beforeExit', onExit);
    for (const stop of listeners) stop();
  };
}
