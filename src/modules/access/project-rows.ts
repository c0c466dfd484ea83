import { type EntityClass, LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/context.js';
import type { DomainError } from '../../kernel/errors.js';
import { isPrefixedId, isUuid } from '../../kernel/ids.js';
import type { Action } from './actions.js';
import { authorize, mayIn, userOf } from './guard.js';
import type { Project } from './projects/project.entity.js';

/** Rows of an entity as callers name them: by their ids, each in the project whose roles apply. */
export class ProjectRows<T extends { id: string; projectId: string }> {
  /**
   * @param ids `uuid`, or the prefix of the ids; anything else names no row
   * @param invisible the failure for a row that is missing or that the caller can't see
   * @param read how to read a row, if not each time anew
   */
  constructor(
    private readonly entity: EntityClass<T>,
    private readonly ids: string,
    private readonly invisible: () => DomainError,
    private readonly read: (ctx: Context, entity: EntityClass<T>, id: string) => Promise<T | null> = findRow,
  ) {}

  /** A row with its project, if the caller may do this there. */
  async visible(ctx: Context, action: Action, id: unknown): Promise<{ row: T; project: Project }> {
    const isId = this.ids === 'uuid' ? isUuid(id) : isPrefixedId(this.ids, id);
    const row = isId ? await this.read(ctx, this.entity, id as string) : null;
    return authorizeRow(ctx, action, row, this.invisible);
  }

  async get(ctx: Context, action: Action, id: unknown): Promise<T> {
    return (await this.visible(ctx, action, id)).row;
  }

  /** Like {@link visible}, with the row locked until the transaction ends; see {@link lockRow}. */
  async locked(ctx: Context, action: Action, id: unknown, mode?: LockMode): Promise<{ row: T; project: Project }> {
    const found = await this.visible(ctx, action, id);
    await lockRow(ctx, found.row, this.invisible, mode);
    return found;
  }
}

/** A type parameter can't express that every key is a string. */
const findRow = <T extends object>({ em }: Context, entity: EntityClass<T>, id: string): Promise<T | null> =>
  em.findOne(entity, { id } as never) as Promise<T | null>;

/**
 * A row found by its id, with its project, if the caller may do this there. A missing row looks like one that the caller can't see: it
 * fails with `invisible`, or like {@link userOf}.
 */
export async function authorizeRow<T extends { projectId: string }>(
  ctx: Context,
  action: Action,
  row: T | null,
  invisible: () => DomainError,
): Promise<{ row: T; project: Project }> {
  if (ctx.actor.kind !== 'system') userOf(ctx);
  if (!row) throw invisible();
  return { row, project: await authorize(ctx, action, row.projectId, invisible) };
}

/**
 * Reads a row again and locks it until the transaction ends, so that changes to one row queue up. Fails with `invisible` if it was deleted
 * in between.
 * @param mode to read, for a row that only has to stay: others may do so at the same time
 */
export async function lockRow(
  ctx: Context,
  row: object,
  invisible: () => DomainError,
  mode: LockMode = LockMode.PESSIMISTIC_WRITE,
): Promise<void> {
  if (!(await ctx.em.refresh(row, { lockMode: mode }))) throw invisible();
}

/** The ids of the projects in the caller's organization where the caller may do this. */
export async function projectsWhere(ctx: Context, action: Action): Promise<string[]> {
  const { organizationId } = userOf(ctx);
  const projects = await ctx.em.execute<{ id: string }[]>('select id from project where organization_id = ?', [
    organizationId,
  ]);
  const may = await Promise.all(projects.map(({ id }) => mayIn(ctx, action, id)));
  return projects.flatMap(({ id }, index) => (may[index] ? [id] : []));
}
