import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { type ListOwner, listOfOwner } from '../../access/graph/list-edge.js';
import { ProjectRows } from '../../access/project-rows.js';
import { peopleFailure } from '../people.errors.js';
import { IngestionWarning } from './ingestion-warning.entity.js';
import { INGESTION_WARNINGS, KEY_WARNINGS, type WarningListArgs } from './warning-list.js';

export class WarningService {
  private readonly rows = new ProjectRows(IngestionWarning, 'wrn', () => peopleFailure('warning_not_found'));

  list(
    operation: OperationContext,
    projectId: string,
    { environment, reason, ...args }: WarningListArgs,
  ): Promise<Page<IngestionWarning>> {
    const where = { environment, ...(reason ? { reason } : {}) } as FilterQuery<IngestionWarning>;
    return listOfOwner(operation, 'event.view', INGESTION_WARNINGS, projectId, args, where);
  }

  /** Warnings about what a key sent, newest day first. */
  ofKey(operation: OperationContext, key: ListOwner, args: ListArgs): Promise<Page<IngestionWarning>> {
    return listOfOwner(operation, 'event.view', KEY_WARNINGS, key, args);
  }

  /** Fails with `warning_not_found`. */
  get(ctx: Context, id: string): Promise<IngestionWarning> {
    return this.rows.get(ctx, 'event.view', id);
  }
}
