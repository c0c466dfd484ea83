import type { Page } from '../paging.js';
import type { List } from './list.js';

/** A field that answers a list of each node, or something made of its rows: rows whose owner is the node, by its id. */
export interface ReadAlong {
  readonly list: List<object>;
  /** What the caller must be allowed to do in the project of the nodes, in the guard's words. */
  readonly action: string;
  /** Makes the answer of a node and the first row of its list, null for none; `row` answers that, and without it the field answers the page. */
  readonly answer?: 'row' | ((node: never, row: object | null) => unknown);
}

/** So many of the rows of each node, from the beginning of the list in its usual order. */
export interface NestedPage {
  readonly along: ReadAlong;
  readonly first: number;
  /** What is read of each row besides its key and its order; null for all. */
  readonly properties: readonly string[] | null;
}

interface Kept {
  list: List<object>;
  first: number;
  page: Page<object>;
}

const KEPT = Symbol('pages that were read along');

type Keeping = object & { [KEPT]?: Kept[] };

/** Keeps with a node the page of a list that was read along; only for callers who may see it. */
export function keepAlong(node: object, { along: { list }, first }: NestedPage, page: Page<object>): void {
  const keeping: Keeping = node;
  keeping[KEPT] ??= [];
  keeping[KEPT].push({ list, first, page });
}

/** The page of a node's list that was read along with it. */
export function keptAlong(node: object, list: List<object>, first: number): Page<object> | undefined {
  return (node as Keeping)[KEPT]?.find((kept) => kept.list === list && kept.first === first)?.page;
}

/** The number of nodes that a list is asked for when it is asked for nothing else; null otherwise. */
export function plainSize(args: Readonly<Record<string, unknown>>): number | null {
  const { first, ...others } = args;
  return typeof first === 'number' && Object.values(others).every((value) => value == null) ? first : null;
}
