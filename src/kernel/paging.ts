import { Max, Min } from 'class-validator';
import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { commonFailure } from './errors.js';
import { isStorable } from './text.js';

export const DEFAULT_PAGE = 25;
export const MAX_PAGE = 100;

/** Relay's forward paging: `first` 25 when absent, 100 at most. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: DEFAULT_PAGE, description: 'How many at most, 1 to 100.' })
  @Min(1)
  @Max(MAX_PAGE)
  first: number = DEFAULT_PAGE;

  @Field(() => String, { nullable: true, description: 'The endCursor of the page before.' })
  after?: string | null;
}

/** Whether these are nothing but {@link PageArgs} that hold, which spares lists in lists the validator. */
export function isPlainPage(args: object): boolean {
  return args.constructor === PageArgs && isPageSize((args as PageArgs).first);
}

/** Whether this is a number of nodes that a page may have. */
export function isPageSize(first: unknown): first is number {
  return typeof first === 'number' && Number.isInteger(first) && first >= 1 && first <= MAX_PAGE;
}

@ObjectType({ description: 'Where a page stands in its list (Relay cursor connections).' })
export class PageInfo {
  @Field(() => Boolean)
  hasNextPage!: boolean;

  @Field(() => Boolean)
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true })
  startCursor!: string | null;

  @Field(() => String, { nullable: true })
  endCursor!: string | null;
}

export interface Edge<T> {
  cursor: string;
  node: T;
}

export interface Page<T> {
  edges: Edge<T>[];
  nodes: T[];
  pageInfo: PageInfo;
  /** Read when it is asked for. */
  readonly totalCount: number | Promise<number>;
  readonly isEstimate: boolean | Promise<boolean>;
}

/** Which part of a list is asked for, from either end. */
export interface BothWays {
  first: number;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** Makes the Relay connection type of a node type; call it once a type. */
export function connectionOf<T extends object>(node: ClassType<T>, name: string): ClassType<Page<T>> {
  @ObjectType(`${name}Edge`)
  class NodeEdge {
    @Field(() => String)
    cursor!: string;

    @Field(() => node)
    node!: T;
  }

  @ObjectType(`${name}Connection`)
  class NodeConnection {
    @Field(() => [NodeEdge])
    edges!: NodeEdge[];

    @Field(() => [node], { description: 'The nodes of the edges, for callers that need no cursors.' })
    nodes!: T[];

    @Field(() => PageInfo)
    pageInfo!: PageInfo;

    @Field(() => Int, {
      description:
        'Nodes on all pages; counted only when it is asked for. Counting stops where an `Int` still holds it (`isEstimate`).',
    })
    totalCount!: number | Promise<number>;

    @Field(() => Boolean, { description: 'Whether there may be more than `totalCount`, where counting stops.' })
    isEstimate!: boolean | Promise<boolean>;
  }
  // Within the generic function the class is of any node; each caller's is of its own.
  return NodeConnection as unknown as ClassType<Page<T>>;
}

/** How many nodes a list has, as far as they were counted. */
export interface Total {
  totalCount: number;
  isEstimate: boolean;
}

/** A count that stopped after `most` and one more. */
export const totalOf = (counted: number, most: number): Total => ({
  totalCount: Math.min(counted, most),
  isEstimate: counted > most,
});

/** Puts nodes that were read with one more than asked for into a page. */
export function pageOf<T>(
  rows: T[],
  first: number,
  cursorOf: (row: T) => string,
  total: () => Promise<Total>,
  after?: string | null,
): Page<T> {
  const nodes = rows.length > first ? rows.slice(0, first) : rows;
  return makePage(nodes, cursorOf, [Boolean(after), rows.length > first], total);
}

/** As {@link pageOf}, from either end; with `last` the rows were read backwards. */
export function bothWaysPage<T>(
  rows: readonly T[],
  { first, after, last, before }: BothWays,
  cursorOf: (row: T) => string,
  total: () => Promise<Total>,
): Page<T> {
  const isFromEnd = typeof last === 'number';
  const size = last ?? first;
  const nodes = rows.slice(0, size);
  const hasMore = rows.length > size;
  const hasCursor = typeof (isFromEnd ? before : after) === 'string';
  if (isFromEnd) nodes.reverse();
  return makePage(nodes, cursorOf, isFromEnd ? [hasMore, hasCursor] : [hasCursor, hasMore], total);
}

/** A page of these nodes; cursors are made and the list is counted when somebody asks for it. */
function makePage<T>(
  nodes: T[],
  cursorOf: (row: T) => string,
  [hasPreviousPage, hasNextPage]: readonly [boolean, boolean],
  total: () => Promise<Total>,
): Page<T> {
  let counted: Promise<Total> | undefined;
  const count = (): Promise<Total> => {
    counted ??= total();
    return counted;
  };
  const cursorAt = (index: number): string | null => {
    const node = nodes.at(index);
    return node === undefined ? null : cursorOf(node);
  };
  return {
    nodes,
    get edges() {
      return nodes.map((node) => ({ cursor: cursorOf(node), node }));
    },
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      get startCursor() {
        return cursorAt(0);
      },
      get endCursor() {
        return cursorAt(-1);
      },
    },
    get totalCount() {
      return count().then(({ totalCount }) => totalCount);
    },
    get isEstimate() {
      return count().then(({ isEstimate }) => isEstimate);
    },
  };
}

/** A cursor over plain values, opaque to callers; {@link decodeCursor} refuses what was not made here. */
export function encodeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** The values of a cursor of `length` texts or numbers. Fails with `invalid_cursor`. */
export function decodeCursor(cursor: string, length: number): (string | number)[] {
  const values = valuesOf(cursor);
  if (values.length !== length) throw commonFailure('invalid_cursor');
  return values;
}

/** What a cursor holds. Fails with `invalid_cursor` for what is no list of numbers and of texts that PostgreSQL can hold. */
function valuesOf(cursor: string): (string | number)[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(values) &&
      values.every((value) => typeof value === 'number' || (typeof value === 'string' && isStorable(value)))
    )
      return values;
  } catch {
    // Falls through to the refusal: what is not JSON was not handed out here.
  }
  throw commonFailure('invalid_cursor');
}
