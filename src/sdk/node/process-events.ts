type ProcessEvent = 'beforeExit' | 'exit' | 'uncaughtExceptionMonitor' | 'SIGTERM' | 'SIGINT';
type Listener = (cause: unknown) => void;

interface Hub {
  readonly listeners: Set<Listener>;
  readonly tell: Listener;
}

/** One listener of the process for all instances, since Node warns about more than ten. */
const hubs = new Map<ProcessEvent, Hub>();

/** All library instances in the process, including those from other copies of this file. */
interface Speakers {
  /** Their listeners to signals. */
  readonly listeners: Set<unknown>;
  /** How many are sending what is left after a signal; the last to finish ends the process. */
  speaking: number;
}
const KEY = Symbol.for('quarterdeck.speakers');
const place = globalThis as { [KEY]?: Speakers };
export const speakers: Speakers = place[KEY] ?? { listeners: new Set(), speaking: 0 };
place[KEY] = speakers;

/** Whether nobody but the library listens to an event. */
export const onlyOurs = (event: ProcessEvent): boolean =>
  process.listeners(event as 'exit').every((listener) => speakers.listeners.has(listener));

/** Listens to the process until the returned function is called. */
export function listening(event: ProcessEvent, listener: Listener): () => void {
  const hub = hubs.get(event) ?? openHub(event);
  hub.listeners.add(listener);
  return () => {
    hub.listeners.delete(listener);
    if (hub.listeners.size > 0 || hubs.get(event) !== hub) return;
    hubs.delete(event);
    speakers.listeners.delete(hub.tell);
    process.off(event, hub.tell);
  };
}

function openHub(event: ProcessEvent): Hub {
  const listeners = new Set<Listener>();
  const tell: Listener = (cause) => {
    for (const listener of [...listeners]) listener(cause);
  };
  const hub = { listeners, tell };
  hubs.set(event, hub);
  speakers.listeners.add(tell);
  // For signals it runs first: an application's `once` listener is gone by the time it runs.
  if (event.startsWith('SIG')) process.prependListener(event as 'exit', tell);
  else process.on(event as 'exit', tell);
  return hub;
}
