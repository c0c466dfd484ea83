import type { Page } from '../paging.js';
import type { List } from './list.js';

/** A field that returns a list of each node, or something made of its rows, which the node owns by id. */
export interface ReadAlong {
  readonly list: List<object>;
  readonly action: string;
  /**
   * Makes the answer from a node and the first row of its list, or null; `row` returns that. Without it, the field
   * returns the page.
   */
  readonly answer?: 'row' | ((node: never, row: object | null) => unknown);
}

/** How many rows of each node to read, from the beginning of the list in its default order. */
export interface NestedPage {
  readonly along: ReadAlong;
  readonly first: number;
  /** Properties to read besides key and order; null for all. */
  readonly properties: readonly string[] | null;
}

interface Kept {
  list: List<object>;
  first: number;
  page: Page<object>;
}

const KEPT = Symbol('pages that were read along');

type Keeping = object & { [KEPT]?: Kept[] };

/** Attaches to a node the page that was read with it, only for callers who may see it. */
export function keepAlong(node: object, { along: { list }, first }: NestedPage, page: Page<object>): void {
  const keeping: Keeping = node;
  keeping[KEPT] ??= [];
  keeping[KEPT].push({ list, first, page });
}

/** The page of a list that was read with its node. */
export function keptAlong(node: object, list: List<object>, first: number): Page<object> | undefined {
  return (node as Keeping)[KEPT]?.find((kept) => kept.list === list && kept.first === first)?.page;
}

/** The page size of a list requested without other arguments; null otherwise. */
export function plainSize(args: Readonly<Record<string, unknown>>): number | null {
  const { first, ...others } = args;
  return typeof first === 'number' && Object.values(others).every((value) => value == null) ? first : null;
}
