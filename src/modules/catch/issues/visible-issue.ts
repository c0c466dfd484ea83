import type { Context } from '../../../kernel/context.js';
import { isPrefixedId } from '../../../kernel/ids.js';
import type { Action } from '../../access/actions.js';
import { authorize } from '../../access/guard.js';
import type { Project } from '../../access/projects/project.entity.js';
import { catchFailure } from '../catch.errors.js';
import { CrashIssue } from './crash-issue.entity.js';

/** An issue with its project, for a caller who may do this to it. Fails with `issue_not_found`. */
export async function visibleIssue(
  ctx: Context,
  action: Action,
  id: string,
): Promise<{ issue: CrashIssue; project: Project }> {
  const invisible = () => catchFailure('issue_not_found');
  const issue = isPrefixedId('iss', id) ? await ctx.em.findOne(CrashIssue, { id }) : null;
  if (issue === null) throw invisible();
  return { issue, project: await authorize(ctx, action, issue.projectId, invisible) };
}
