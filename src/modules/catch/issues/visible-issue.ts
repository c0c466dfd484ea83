import type { Context } from '../../../kernel/context.js';
import { isPrefixedId } from '../../../kernel/ids.js';
import type { Action } from '../../access/actions.js';
import { authorize } from '../../access/guard.js';
import { lockRow } from '../../access/project-rows.js';
import type { Project } from '../../access/projects/project.entity.js';
import { catchFailure } from '../catch.errors.js';
import { CrashIssue } from './crash-issue.entity.js';

const invisible = () => catchFailure('issue_not_found');

/** An issue with its project, for a caller who may do this to it. Fails with `issue_not_found`. */
export async function visibleIssue(
  ctx: Context,
  action: Action,
  id: string,
): Promise<{ issue: CrashIssue; project: Project }> {
  const issue = isPrefixedId('iss', id) ? await ctx.em.findOne(CrashIssue, { id }) : null;
  if (issue === null) throw invisible();
  return { issue, project: await authorize(ctx, action, issue.projectId, invisible) };
}

/**
 * Like {@link visibleIssue}, with the issue's row locked until the transaction ends, so that concurrent triage of one issue happens once.
 */
export async function lockedIssue(
  ctx: Context,
  action: Action,
  id: string,
): Promise<{ issue: CrashIssue; project: Project }> {
  const found = await visibleIssue(ctx, action, id);
  await lockRow(ctx, found.issue, invisible);
  return found;
}
