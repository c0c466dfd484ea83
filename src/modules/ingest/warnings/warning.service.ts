import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Page } from '../../../kernel/paging.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import type { IngestionWarning } from './ingestion-warning.entity.js';
import { INGESTION_WARNINGS, type WarningListArgs } from './warning-list.js';

/** Reads what {@link WarningCounter} stored. */
export class WarningService {
  /** Newest day first. */
  list(
    operation: OperationContext,
    projectId: string,
    { environment, reason, ...args }: WarningListArgs,
  ): Promise<Page<IngestionWarning>> {
    const where = { environment, ...(reason ? { reason } : {}) } as FilterQuery<IngestionWarning>;
    return listOfOwner(operation, 'event.view', INGESTION_WARNINGS, { id: projectId, projectId }, args, where);
  }
}
