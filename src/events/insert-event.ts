import { type Actor, actorRecord } from '../kernel/actor.js';
import { newPrefixedId } from '../kernel/ids.js';
import type { EventKind } from './catalog.js';
import type { Happening } from './event-log.js';

/** Runs one statement in the transaction of the change. */
export type RunStatement = (sql: string, values: unknown[]) => Promise<unknown>;

/** Who changed something, for paths without a verb's context. */
export interface EventSource {
  actor: Actor;
  requestId: string;
  now: Date;
}

/**
 * As `EventLog.emit`, for hot paths that hold a connection of their own instead of an EntityManager. The caller announces the event
 * after its commit.
 */
export async function insertEvent<K extends EventKind>(
  run: RunStatement,
  { actor, requestId, now }: EventSource,
  kind: K,
  happening: Happening<K>,
): Promise<void> {
  const { actorId, actorEmail } = actorRecord(actor);
  await run(
    `insert into event_log (id, kind, organization_id, project_id, environment, object_type, object_id, actor_id, actor_email,
                            request_id, data, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      newPrefixedId('evt'),
      kind,
      happening.organizationId,
      happening.projectId ?? null,
      happening.environment ?? null,
      happening.object.type,
      happening.object.id,
      actorId,
      actorEmail,
      requestId,
      JSON.stringify(happening.data),
      now,
    ],
  );
}
