import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/context.js';
import { commonFailure, type DomainError } from '../../kernel/errors.js';
import type { Action } from './actions.js';
import { authorize, mayIn, userOf } from './guard.js';
import type { Project } from './projects/project.entity.js';

/**
 * A row that was looked up by its id, with its project, if the caller may do this there. One that is not there looks like one that the
 * caller cannot see: it fails with `invisible`, for somebody who has not said who they are with `unauthenticated`.
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
 * Reads a row again and locks it until the transaction ends, so that changes of one row queue up. Fails with `invisible` when it was
 * deleted in between.
 * @param mode to read, for what is only to stay: others may do that at the same time
 */
export async function lockRow(
  ctx: Context,
  row: object,
  invisible: () => DomainError,
  mode: LockMode = LockMode.PESSIMISTIC_WRITE,
): Promise<void> {
  if (!(await ctx.em.refresh(row, { lockMode: mode }))) throw invisible();
}

/** The projects of the caller's organization in which the caller may do this, by their ids. */
export async function projectsWhere(ctx: Context, action: Action): Promise<string[]> {
  const { organizationId } = userOf(ctx);
  const projects = await ctx.em.execute<{ id: string }[]>('select id from project where organization_id = ?', [
    organizationId,
  ]);
  const may = await Promise.all(projects.map(({ id }) => mayIn(ctx, action, id)));
  return projects.flatMap(({ id }, index) => (may[index] ? [id] : []));
}
