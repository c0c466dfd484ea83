/** Asked when a process ends: what still has to be sent, for at most that many milliseconds. */
export type LastWords = (milliseconds: number) => Promise<void>;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** All libraries of the process, those of other copies of this file too: the last one to have spoken ends it. */
interface Speakers {
  readonly listeners: Set<unknown>;
  speaking: number;
}
const KEY = Symbol.for('quarterdeck.speakers');
const place = globalThis as { [KEY]?: Speakers };
const speakers: Speakers = place[KEY] ?? { listeners: new Set(), speaking: 0 };
place[KEY] = speakers;

/**
 * Sends what waits when the process ends by itself or by a signal. A signal that nobody else listens to ends the process as it would have
 * done, with the exit code of that signal; where the application listens, ending is the application's, and until then all goes on. Returns what stops all this.
 */
export function beforeEnd(lastWords: LastWords, milliseconds: number): () => void {
  let isSaid = false;
  const say = async (): Promise<void> => {
    if (isSaid) return;
    isSaid = true;
    await lastWords(milliseconds).catch(() => undefined);
  };
  // Comes again after what it has waited for; the second time nothing is left to say, and the process ends.
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
        // Warnings are written in the next turn.
        if (speakers.speaking === 0) setImmediate(() => process.kill(process.pid, signal));
      });
    };
    const stop = (): void => {
      process.off(signal, onSignal);
      speakers.listeners.delete(onSignal);
    };
    speakers.listeners.add(onSignal);
    // First of all: one that the application has for once is gone by the time that it runs.
    process.prependListener(signal, onSignal);
    return stop;
  });
  return () => {
    process.off('beforeExit', onExit);
    for (const stop of listeners) stop();
  };
}
