import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { findPage, type Page, type PageArgs } from '../../../kernel/paging.js';
import { authorize } from '../../access/guard.js';
import { IngestionWarning } from './ingestion-warning.entity.js';
import type { WarningReason } from './warning-reasons.js';

export interface WarningFilter {
  projectId: string;
  environment: Environment;
  reason?: string | null;
}

/** Reads what {@link WarningCounter} stored. */
export class WarningService {
  /** Newest day first. */
  async list(ctx: Context, filter: WarningFilter, page: PageArgs): Promise<Page<IngestionWarning>> {
    const project = await authorize(ctx, 'event.view', filter.projectId);
    return findPage(
      ctx.em,
      IngestionWarning,
      page,
      {
        projectId: project.id,
        environment: filter.environment,
        ...(filter.reason ? { reason: filter.reason as WarningReason } : {}),
      },
      { day: 'desc', id: 'desc' },
    );
  }
}
