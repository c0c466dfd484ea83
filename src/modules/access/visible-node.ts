import { type EntityClass, type EntityManager, wrap } from '@mikro-orm/postgresql';
import { roleAtLeast } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import { DomainError } from '../../kernel/errors.js';
import { isUuid } from '../../kernel/ids.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { ACTIONS, type Action } from './actions.js';
import type { EdgeTo } from './graph/edge.js';
import { type NodeKind, nodeKindOf, projectOf } from './graph/node.js';
import { authorize, mayIn, roleAtOnce } from './guard.js';
import { Project } from './projects/project.entity.js';

/** The object at the end of an edge. All edges of one operation and level are loaded in one statement per entity. */
export async function follow(
  { current: ctx }: OperationContext,
  { target, by }: EdgeTo,
  source: object,
): Promise<object | null> {
  return visibleNode(ctx, target(), (source as Record<string, unknown>)[by]);
}

/** An object by its id; null if there is none that the caller may see, or if the id belongs to something else. */
export async function visibleNode<T extends { id: string }>(
  ctx: Context,
  entity: EntityClass<T>,
  id: unknown,
): Promise<T | null> {
  if (!isIdOf(ctx, entity, id)) return null;
  // The guard has already read the project, with the caller's role in it.
  if (nodeKindOf(entity) === nodeKindOf(Project) && ctx.isReading) return (await visibleProject(ctx, id)) as T | null;
  const object = await loadOnce(ctx, entity, id);
  if (!object) return null;
  const kind = nodeKindOf(entity);
  return (await mayWith(ctx, kind, kind.view, object)) ? object : null;
}

const loads = new WeakMap<EntityManager, Map<string, Promise<object | null>>>();

/** An entity reached from several levels of an operation is read once, even while it is being read. */
export function loadOnce<T extends { id: string }>(
  { em }: Context,
  entity: EntityClass<T>,
  id: string,
): Promise<T | null> {
  const known = loads.get(em) ?? new Map<string, Promise<object | null>>();
  loads.set(em, known);
  const key = `${entity.name} ${id}`;
  let load = known.get(key) as Promise<T | null> | undefined;
  if (!load) {
    // The loader returns the bare reference if the row is gone. A type parameter can't express that every key is a string.
    load = em
      .getReference(entity, id as never, { wrapped: true })
      .load({ dataloader: true })
      .then((found) => (found && wrap(found).isInitialized() ? (found as T) : null));
    known.set(key, load);
  }
  return load;
}

async function visibleProject(ctx: Context, id: string): Promise<object | null> {
  try {
    return await authorize(ctx, nodeKindOf(Project).view, id);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

async function mayWith(ctx: Context, kind: NodeKind<object>, action: Action, object: object): Promise<boolean> {
  return !isElsewhere(ctx, kind, object) && mayIn(ctx, action, projectOf(kind, object));
}

/** What the caller may do with an object, synchronously if the caller's role there is known. */
export function actionsWith(
  ctx: Context,
  kind: NodeKind<object>,
  object: object,
): readonly Action[] | Promise<readonly Action[]> {
  const { actions = [] } = kind;
  if (isElsewhere(ctx, kind, object)) return [];
  const projectId = projectOf(kind, object);
  const role = roleAtOnce(ctx, projectId);
  if (role === null) return [];
  if (role) return actions.filter((action) => roleAtLeast(role, ACTIONS[action]));
  return actionsIn(ctx, actions, projectId);
}

async function actionsIn(ctx: Context, actions: readonly Action[], projectId: string | null): Promise<Action[]> {
  const may = await Promise.all(actions.map((action) => mayIn(ctx, action, projectId)));
  return actions.filter((_, index) => may[index]);
}

/** Whether an object belongs to an organization that isn't the caller's. */
function isElsewhere({ actor }: Context, kind: NodeKind<object>, object: object): boolean {
  return (
    kind.organizationOf !== undefined && actor.kind === 'user' && kind.organizationOf(object) !== actor.organizationId
  );
}

/** Whether this can be the id of such an object: a UUID column accepts nothing else. */
function isIdOf(ctx: Context, entity: EntityClass<{ id: string }>, id: unknown): id is string {
  const isKeyUuid = ctx.em.getMetadata().get(entity).properties.id?.columnTypes[0] === 'uuid';
  return isKeyUuid ? isUuid(id) : typeof id === 'string';
}
