/** Asked when a process ends: what still has to be sent, for at most that many milliseconds. */
export type LastWords = (milliseconds: number) => Promise<void>;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Sends what waits when the process ends by itself or by a signal. A signal that nobody else listens to ends the process as it would have
 * done, with the exit code of that signal; where the application listens, ending is the application's. Returns what stops all this.
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
      const isOurs = process.listenerCount(signal) === 1;
      void say().finally(() => {
        process.off(signal, onSignal);
        if (isOurs) process.kill(process.pid, signal);
      });
    };
    process.on(signal, onSignal);
    return () => process.off(signal, onSignal);
  });
  return () => {
    process.off('beforeExit', onExit);
    for (const stop of listeners) stop();
  };
}
