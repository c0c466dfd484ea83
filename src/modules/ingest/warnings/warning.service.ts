import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.js';
import { isPrefixedId } from '../../../kernel/ids.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorizeRow } from '../../access/project-rows.js';
import { peopleFailure } from '../people.errors.js';
import { IngestionWarning } from './ingestion-warning.entity.js';
import { INGESTION_WARNINGS, KEY_WARNINGS, type WarningListArgs } from './warning-list.js';

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

  /** Warnings about what a key sent, newest day first. */
  ofKey(
    operation: OperationContext,
    { id, projectId }: { id: string; projectId: string },
    args: ListArgs,
  ): Promise<Page<IngestionWarning>> {
    return listOfOwner(operation, 'event.view', KEY_WARNINGS, { id, projectId }, args);
  }

  /** Fails with `warning_not_found`. */
  async get(ctx: Context, id: string): Promise<IngestionWarning> {
    const found = isPrefixedId('wrn', id) ? await ctx.em.findOne(IngestionWarning, { id }) : null;
    return (await authorizeRow(ctx, 'event.view', found, () => peopleFailure('warning_not_found'))).row;
  }
}
