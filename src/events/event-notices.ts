import type { Environment } from '../kernel/actor.js';
import type { Broadcast } from '../storage/shared/broadcast.js';
import type { EventKind } from './catalog.js';

/** Channel that tells every process that an event was stored; it wakes the dispatcher. */
export const EVENTS = 'events';

export interface EventNotice {
  readonly kind: EventKind;
  readonly projectId: string | null;
  readonly environment: Environment | null;
  /** Null when one statement stored several. */
  readonly eventId: string | null;
}

const NONE = '-';

/**
 * Tells all processes about a stored event. The message is space-separated words; the previous release sends, and reads, only the first.
 */
export function publishNotice(broadcast: Broadcast, { kind, projectId, environment, eventId }: EventNotice): void {
  broadcast.publish(EVENTS, `${kind} ${projectId ?? NONE} ${environment ?? NONE} ${eventId ?? NONE}`);
}

/** Listens for stored events, of some kinds or of all; null means that some may have been missed. The returned function stops it. */
export function subscribeToNotices(
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

/** The previous release sends only the kind, without what the event concerns. */
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
