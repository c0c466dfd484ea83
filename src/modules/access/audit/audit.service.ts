import type { FilterQuery } from '@mikro-orm/postgresql';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import type { Context } from '../../../kernel/context.js';
import { isPrefixedId, storedId } from '../../../kernel/ids.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { accessFailure } from '../access.errors.js';
import { listOfOwner } from '../graph/list-edge.js';
import { authorize, authorizeOrganization, userOf } from '../guard.js';
import type { Organization } from '../projects/organization.entity.js';
import type { Project } from '../projects/project.entity.js';
import { AUDIT_LOG, type AuditLogArgs, PROJECT_AUDIT_LOG } from './audit-list.js';

export class AuditService {
  list(operation: OperationContext, args: AuditLogArgs): Promise<Page<StoredEvent>> {
    const { organizationId } = userOf(operation.current);
    const { kind, objectId, actorId, since, until } = args;
    const createdAt = { ...(since ? { $gte: since } : {}), ...(until ? { $lt: until } : {}) };
    const where = {
      ...(kind ? { kind } : {}),
      ...(objectId ? { objectId: storedId(objectId) } : {}),
      ...(actorId ? { actorId: storedId(actorId) } : {}),
      ...(Object.keys(createdAt).length > 0 ? { createdAt } : {}),
    };
    return typeof args.projectId === 'string'
      ? this.ofProject(operation, { id: args.projectId, organizationId }, args, where)
      : this.ofOrganization(operation, { id: organizationId }, args, where);
  }

  ofOrganization(
    operation: OperationContext,
    { id }: Pick<Organization, 'id'>,
    args: ListArgs,
    where: FilterQuery<StoredEvent> = {},
  ): Promise<Page<StoredEvent>> {
    return listOfOwner(operation, 'audit.view', AUDIT_LOG, { id, projectId: null }, args, where);
  }

  /** The organization is in the conditions for the benefit of its indexes. */
  ofProject(
    operation: OperationContext,
    { id, organizationId }: Pick<Project, 'id' | 'organizationId'>,
    args: ListArgs,
    where: FilterQuery<StoredEvent> = {},
  ): Promise<Page<StoredEvent>> {
    const conditions = { ...(where as object), organizationId };
    return listOfOwner(operation, 'audit.view', PROJECT_AUDIT_LOG, { id, projectId: id }, args, conditions);
  }

  /** Fails with `audit_entry_not_found`. */
  async get(ctx: Context, id: string): Promise<StoredEvent> {
    const { organizationId } = userOf(ctx);
    const invisible = () => accessFailure('audit_entry_not_found');
    const entry = isPrefixedId('evt', id) ? await ctx.em.findOne(StoredEvent, { id, organizationId }) : null;
    if (!entry) throw invisible();
    if (entry.projectId === null) authorizeOrganization(ctx, 'audit.view');
    else await authorize(ctx, 'audit.view', entry.projectId, invisible);
    return entry;
  }
}
