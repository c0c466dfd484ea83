import { StoredEvent } from '../../events/stored-event.entity.js';
import type { Context } from '../../kernel/context.js';
import { findPage, type Page, type PageArgs } from '../../kernel/paging.js';
import { authorize, authorizeOrganization } from './guard.js';

export interface AuditFilter {
  projectId?: string | null;
  kind?: string | null;
  objectId?: string | null;
  actorId?: string | null;
  since?: Date | null;
  until?: Date | null;
}

/** The audit log: the stored events, newest first. */
export class AuditService {
  /** Entries of one project, or of the whole organization. */
  async list(ctx: Context, filter: AuditFilter, page: PageArgs): Promise<Page<StoredEvent>> {
    const scope =
      typeof filter.projectId === 'string'
        ? { projectId: (await authorize(ctx, 'audit.view', filter.projectId)).id }
        : { organizationId: authorizeOrganization(ctx, 'audit.view').organizationId };
    const createdAt = {
      ...(filter.since ? { $gte: filter.since } : {}),
      ...(filter.until ? { $lt: filter.until } : {}),
    };
    return findPage(
      ctx.em,
      StoredEvent,
      page,
      {
        ...scope,
        ...(filter.kind ? { kind: filter.kind } : {}),
        ...(filter.objectId ? { objectId: filter.objectId } : {}),
        ...(filter.actorId ? { actorId: filter.actorId } : {}),
        ...(Object.keys(createdAt).length > 0 ? { createdAt } : {}),
      },
      { sequence: 'desc' },
    );
  }
}
