import type { Environment } from '../kernel/actor.js';
import type { Broadcast } from '../storage/shared/broadcast.js';
import type { EventKind } from './catalog.js';

/** Channel on which every process hears that an event was stored; it wakes the dispatcher. */
export const EVENTS = 'events';

/** What every process is told about a stored event. */
export interface EventNotice {
  readonly kind: EventKind;
  readonly projectId: string | null;
  readonly environment: Environment | null;
  /** Null where several were stored by one statement. */
  readonly eventId: string | null;
}

const NONE = '-';

/** Tells all processes about a stored event. The message is words with blanks; the release before sends, and reads, the first of them. */
export function publishNotice(broadcast: Broadcast, { kind, projectId, environment, eventId }: EventNotice): void {
  broadcast.publish(EVENTS, `${kind} ${projectId ?? NONE} ${environment ?? NONE} ${eventId ?? NONE}`);
}

/** Listens for stored events, of some kinds or of all; null says that some may have been missed. The returned function ends it. */
export function hearNotices(
  broadcast: Broadcast,
  listener: (notice: EventNotice | null) => void,
  kinds?: ReadonlySet<string>,
): () => void {
  return broadcast.subscribe(EVENTS, (message) => {
    const words = message?.split(' ');
    if (kinds && words && !kinds.has(words[0] as string)) return;
    listener(words ? noticeOf(words) : null);
  });
}

/** The release before says the kind alone: what it concerns is not known then. */
function noticeOf([kind = '', projectId, environment, eventId]: readonly string[]): EventNotice | null {
  if (projectId === undefined) return null;
  const word = (text: string | undefined): string | null => (text === undefined || text === NONE ? null : text);
  return {
    kind: kind as EventKind,
    projectId: word(projectId),
    environment: word(environment) as Environment | null,
    eventId: word(eventId),
  };
}
