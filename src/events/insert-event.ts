import { type Actor, actorRecord } from '../kernel/actor.js';
import { newPrefixedId } from '../kernel/ids.js';
import type { EventKind } from './catalog.js';
import { type NewEvent, placeOf } from './event-log.js';

/** SQL expressions for the columns that differ between the events of one statement. */
export interface EventExpressions {
  id: string;
  kind: string;
  organizationId: string;
  projectId: string;
  environment: string;
  objectType: string;
  objectId: string;
  actorId: string;
  actorEmail: string;
  address: string;
  requestId: string;
  data: string;
  before: string;
  after: string;
  createdAt: string;
}

/**
 * The statement that stores an event for each row of `from`, a table with its clauses, for code paths that write changes in SQL. It may be
 * used inside a `with`. The caller announces the events after its commit.
 */
export function insertEventsSql(from: string, of: EventExpressions): string {
  return `insert into event_log (id, kind, organization_id, project_id, environment, object_type, object_id, actor_id, actor_email,
    address, request_id, data, before, after, created_at)
  select ${of.id}, ${of.kind}, ${of.organizationId}, ${of.projectId}, ${of.environment}, ${of.objectType}, ${of.objectId},
    ${of.actorId}, ${of.actorEmail}, ${of.address}, ${of.requestId}, ${of.data}, ${of.before}, ${of.after}, ${of.createdAt}
    from ${from}`;
}

export interface EventSource {
  actor: Actor;
  requestId: string;
  now: Date;
}

/** Runs one statement in the transaction of the change. */
export type RunStatement = (sql: string, values: unknown[]) => Promise<unknown>;

const INSERT_ONE = insertEventsSql('(values (1)) as one', {
  id: '$1',
  kind: '$2',
  organizationId: '$3::uuid',
  projectId: '$4::uuid',
  environment: '$5',
  objectType: '$6',
  objectId: '$7',
  actorId: '$8',
  actorEmail: '$9',
  address: 'null',
  requestId: '$10',
  data: '$11::jsonb',
  before: 'null',
  after: 'null',
  createdAt: '$12::timestamptz',
});

/** Like `EventLog.emit`, for a path that holds its own connection instead of an EntityManager. */
export async function insertEvent<K extends EventKind>(
  run: RunStatement,
  { actor, requestId, now }: EventSource,
  kind: K,
  happening: NewEvent<K>,
): Promise<void> {
  const { actorId, actorEmail } = actorRecord(actor);
  const { organizationId, projectId } = placeOf(happening);
  await run(INSERT_ONE, [
    newPrefixedId('evt'),
    kind,
    organizationId,
    projectId,
    happening.environment ?? null,
    happening.object.type,
    happening.object.id,
    actorId,
    actorEmail,
    requestId,
    JSON.stringify(happening.data),
    now,
  ]);
}
