import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/context.js';
import { commonFailure, type DomainError } from '../../kernel/errors.js';
import type { Action } from './actions.js';
import { authorize, mayIn, userOf } from './guard.js';
import type { Project } from './projects/project.entity.js';

/**
 * A row found by its id, with its project, if the caller may do this there. A missing row looks like one that the caller can't see: it
 * fails with `invisible`, for anonymous callers with `unauthenticated`.
 */
export async function authorizeRow<T extends { projectId: string }>(
  ctx: Context,
  action: Action,
  row: T | null,
  invisible: () => DomainError,
): Promise<{ row: T; project: Project }> {
  if (!row) throw ctx.actor.kind === 'anonymous' ? commonFailure('unauthenticated') : invisible();
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
