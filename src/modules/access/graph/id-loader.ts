import type DataLoader from 'dataloader';
import type { Statement } from '../../../kernel/context.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';

/**
 * Loads the ids of objects by the texts that name them, for edges from such texts: one statement per level. It receives one array of texts
 * per part of the name, and returns `place`, from 1, and `id`.
 */
export function idLoader(
  operation: OperationContext,
  key: symbol,
  statement: Statement,
): DataLoader<readonly string[], string | null, string> {
  return loader(
    operation,
    key,
    async (names: readonly (readonly string[])[]) => {
      const columns = (names[0] ?? []).map((_, column) => names.map((name) => name[column]));
      const rows = await operation.current.rows<{ place: string; id: string }>(statement, columns);
      const found = new Map(rows.map(({ place, id }) => [Number(place) - 1, id]));
      return names.map((_, index) => found.get(index) ?? null);
    },
    (name: readonly string[]) => JSON.stringify(name),
  );
}
