import type { Context } from '../context.js';
import { counted, orderOf, pageIn } from './list-pages.js';
import { countRows, nestedColumn } from './list-statements.js';
import { listTable } from './list-table.js';
import { keepAlong, keptAlong, type NestedPage } from './read-along.js';

type Row = Record<string, unknown> & { id: string };

/** Attaches to each node the pages that were read with it, only for callers who may see them. */
export function keepNested(ctx: Context, nodes: readonly object[], nested: readonly NestedPage[]): void {
  for (const [place, page] of nested.entries()) keepNestedPage(ctx, nodes as readonly Row[], page, place);
}

function keepNestedPage(ctx: Context, nodes: readonly Row[], page: NestedPage, place: number): void {
  const { list } = page.along;
  const table = listTable(ctx, list.entity);
  const order = orderOf<object>(table, list, page);
  const owners = nodes.map(({ id }) => id);
  const totalAt = counted(list, () =>
    countRows(ctx, { list, table, owners, conditions: [], found: null, nested: [], properties: null }),
  );
  for (const [index, node] of nodes.entries()) {
    // Identical fields share their nodes.
    if (keptAlong(node, list, page.first)) continue;
    const rows = (node[nestedColumn(place)] ?? []) as Record<string, unknown>[];
    for (const row of rows) {
      table.fromJson(row);
      table.complete?.(row, ctx);
    }
    keepAlong(
      node,
      page,
      pageIn<object>(rows, page, order, () => totalAt(index)),
    );
  }
}
