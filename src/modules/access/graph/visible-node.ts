import type { EntityClass } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { Action } from '../actions.js';
import { mayIn } from '../guard.js';
import type { EdgeTo } from './edge.js';
import { type NodeKind, nodeKindOf, projectOf } from './node.js';

/** The object that an edge leads to. All that an operation's edges lead to on one level are loaded in one statement for each entity. */
export async function follow(
  { current: ctx }: OperationContext,
  { target, by }: EdgeTo,
  source: object,
): Promise<object | null> {
  return visibleNode(ctx, target(), (source as Record<string, unknown>)[by]);
}

/** An object by its id; null where there is none that the caller may see, or where the id is of something else. */
export async function visibleNode<T extends { id: string }>(
  ctx: Context,
  entity: EntityClass<T>,
  id: unknown,
): Promise<T | null> {
  if (!isIdOf(ctx, entity, id)) return null;
  const object: T | null = await ctx.em.getReference(entity, id as never, { wrapped: true }).load({ dataloader: true });
  if (!object) return null;
  const kind = nodeKindOf(entity);
  return (await mayWith(ctx, kind, kind.view, object)) ? object : null;
}

/** Whether the caller may do this with an object. */
export async function mayWith(ctx: Context, kind: NodeKind<object>, action: Action, object: object): Promise<boolean> {
  const isElsewhere = ctx.actor.kind === 'user' && kind.organizationOf?.(object) !== ctx.actor.organizationId;
  if (kind.organizationOf && isElsewhere) return false;
  return mayIn(ctx, action, projectOf(kind, object));
}

/** Whether this can be the id of such an object: a column of UUIDs takes nothing else. */
function isIdOf(ctx: Context, entity: EntityClass<{ id: string }>, id: unknown): id is string {
  const isKeyUuid = ctx.em.getMetadata().get(entity).properties.id?.columnTypes[0] === 'uuid';
  return isKeyUuid ? isUuid(id) : typeof id === 'string';
}
