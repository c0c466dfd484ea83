import type { Environment } from '../kernel/actor.js';
import { actorRecord, tokenRecord } from '../kernel/actor.js';
import type { Context } from '../kernel/context.js';
import { storableJson } from '../kernel/text.js';
import type { Broadcast } from '../storage/shared/broadcast.js';
import type { EventData, EventKind } from './catalog.js';
import { publishNotice } from './event-notices.js';
import { StoredEvent } from './stored-event.entity.js';

/** Where an event happened: in a project, or in an organization as a whole. */
type Place =
  | { project: { id: string; organizationId: string } }
  | { organizationId: string; projectId?: string | null };

/** Where an event happened and what it is about. */
export type About<K extends EventKind> = Place & {
  environment?: Environment | null;
  object: { type: string; id: string };
  data: EventData<K>;
};

export type NewEvent<K extends EventKind> = About<K> & {
  before?: unknown;
  after?: unknown;
};

/** Channel that tells every process about a change to a project's data; the message is `<project id> <module>`. */
export const CHANGES = 'changes';

/** Writes events in the transaction of the change they record. */
export class EventLog {
  constructor(private readonly broadcast: Broadcast) {}

  /** Stores the event with its change: both or neither. Other processes' caches are notified after the commit. */
  emit<K extends EventKind>(ctx: Context, kind: K, details: NewEvent<K>): StoredEvent {
    const { actorId, actorEmail } = actorRecord(ctx.actor);
    const event = ctx.em.create(StoredEvent, {
      kind,
      ...placeOf(details),
      environment: details.environment ?? null,
      objectType: details.object.type,
      objectId: details.object.id,
      actorId,
      actorEmail,
      ...tokenRecord(ctx.actor),
      address: ctx.address,
      requestId: ctx.requestId,
      data: storableJson(details.data),
      before: storableJson(details.before ?? null),
      after: storableJson(details.after ?? null),
      createdAt: ctx.now(),
    });
    ctx.afterCommit(() => this.announce(kind, event.projectId, event.environment, event.id));
    return event;
  }

  /** Like {@link emit}, with the object's state `before` and `after`; null where it didn't exist yet, or no longer does. */
  emitChange<K extends EventKind>(
    ctx: Context,
    kind: K,
    about: About<K>,
    before: unknown,
    after: unknown,
  ): StoredEvent {
    return this.emit(ctx, kind, { ...about, before, after });
  }

  /**
   * Notifies caches, then the dispatcher and event listeners, of a change. Hot paths that write the event row themselves call it after
   * their commit.
   */
  announce(
    kind: EventKind,
    projectId: string | null,
    environment: Environment | null = null,
    eventId: string | null = null,
  ): void {
    if (projectId) this.broadcast.publish(CHANGES, `${projectId} ${kind.slice(0, kind.indexOf('.'))}`);
    publishNotice(this.broadcast, { kind, projectId, environment, eventId });
  }
}

export function placeOf(place: Place): { organizationId: string; projectId: string | null } {
  if ('project' in place) return { organizationId: place.project.organizationId, projectId: place.project.id };
  return { organizationId: place.organizationId, projectId: place.projectId ?? null };
}
