import type { EntityClass } from '@mikro-orm/postgresql';
import { Extensions, Field } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { mayIn } from '../guard.js';
import { nodeKindOf, projectOf } from './node.js';

/** Where an edge leads, and the property that holds the id of the object there. */
export interface EdgeTo {
  target: () => EntityClass<{ id: string }>;
  by: string;
}

/** A field that answers the object whose id another property holds: null where there is none, or none that the caller may see. */
export function Edge<T extends { id: string }>(
  target: () => EntityClass<T>,
  by: string,
  description?: string,
): PropertyDecorator {
  return (prototype, property) => {
    Field(target, { nullable: true, ...(description ? { description } : {}) })(prototype, property);
    Extensions({ edge: { target, by } satisfies EdgeTo })(prototype, property);
  };
}

/** The object that an edge leads to. All that an operation's edges lead to on one level are loaded in one statement for each entity. */
export async function follow(
  { current: ctx }: OperationContext,
  { target, by }: EdgeTo,
  source: object,
): Promise<object | null> {
  const id = (source as Record<string, unknown>)[by];
  return typeof id === 'string' ? visibleNode(ctx, target(), id) : null;
}

/** An object by its id; null where there is none that the caller may see. */
async function visibleNode<T extends { id: string }>(
  ctx: Context,
  entity: EntityClass<T>,
  id: string,
): Promise<T | null> {
  const object: T | null = await ctx.em.getReference(entity, id as never, { wrapped: true }).load({ dataloader: true });
  if (!object) return null;
  const kind = nodeKindOf(entity);
  return (await mayIn(ctx, kind.view, projectOf(kind, object))) ? object : null;
}
