import type DataLoader from 'dataloader';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import { CrashIssue } from './crash-issue.entity.js';

const MERGED = Symbol('merged issues');

/** Loads the issues that were merged into others, by the id of the other. */
export function mergedIssuesLoader(operation: OperationContext): DataLoader<string, CrashIssue[]> {
  return loader(operation, MERGED, async (ids: readonly string[]) => {
    const parts = await operation.current.em.find(
      CrashIssue,
      { mergedIntoId: { $in: [...ids] } },
      { orderBy: { id: 'asc' } },
    );
    const byIssue = Map.groupBy(parts, ({ mergedIntoId }) => mergedIntoId);
    return ids.map((id) => byIssue.get(id) ?? []);
  });
}
