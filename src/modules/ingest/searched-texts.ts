import type { Context } from '../../kernel/context.js';
import { hasEmailIn } from '../../kernel/values/email-redaction.js';
import { authorize } from '../access/guard.js';
import type { Project } from '../access/projects/project.entity.js';

/**
 * The project, if the caller may see this in it and ask for these texts. Texts containing an email address need the Editor role: results
 * tell as much as the fields that are redacted below it. Fails with `project_not_found`, `permission_denied`.
 */
export const authorizeSearch = (
  ctx: Context,
  view: 'event.view' | 'person.view',
  projectId: string,
  texts: readonly (string | null | undefined)[],
): Promise<Project> => authorize(ctx, hasEmailIn(texts) ? 'person.search' : view, projectId);
