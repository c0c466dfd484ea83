import { Max, Min } from 'class-validator';
import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { commonFailure } from './errors.js';
import { isUuid } from './ids.js';
import { isStorable } from './text.js';

export const DEFAULT_PAGE = 25;
export const MAX_PAGE = 100;

/** Relay forward paging: `first` defaults to 25, maximum 100. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: DEFAULT_PAGE,
    description: 'How many to return at most, 1 to 100.',
  })
  @Min(1)
  @Max(MAX_PAGE)
  first: number = DEFAULT_PAGE;

  @Field(() => String, { nullable: true, description: 'The endCursor of the previous page.' })
  after?: string | null;
}

export function isPageSize(first: unknown): first is number {
  return typeof first === 'number' && Number.isInteger(first) && first >= 1 && first <= MAX_PAGE;
}

@ObjectType({ description: 'The position of a page in its list (Relay cursor connections).' })
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
  /** Read on demand. */
  readonly totalCount: number | Promise<number>;
  readonly isEstimate: boolean | Promise<boolean>;
}

/** The requested part of a list, from either end. */
export interface BothWays {
  first: number;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** Creates the Relay connection type of a node type; call it once per type. */
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

    @Field(() => [node], { description: 'The nodes without their edges, if you need no cursors.' })
    nodes!: T[];

    @Field(() => PageInfo)
    pageInfo!: PageInfo;

    @Field(() => Int, {
      description:
        'The number of nodes on all pages, counted only when requested. Counting stops at the largest `Int` (`isEstimate`).',
    })
    totalCount!: number | Promise<number>;

    @Field(() => Boolean, {
      description: 'Whether there may be more than `totalCount`, because counting stopped there.',
    })
    isEstimate!: boolean | Promise<boolean>;
  }
  // The class is generic here; each caller gets one for its own node type.
  return NodeConnection as unknown as ClassType<Page<T>>;
}

export interface Total {
  totalCount: number;
  isEstimate: boolean;
}

/** A count that stops at `most` plus one. */
export const totalOf = (counted: number, most: number): Total => ({
  totalCount: Math.min(counted, most),
  isEstimate: counted > most,
});

/** Makes a page from nodes, of which one more than requested was read; with `last` they were read backwards. */
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
  const [hasPrevious, hasNext] = isFromEnd ? [hasMore, hasCursor] : [hasCursor, hasMore];
  return new LazyPage(nodes, cursorOf, hasPrevious, hasNext, total);
}

/** A page of these nodes; cursors and the count are computed on demand. */
class LazyPage<T> implements Page<T>, PageInfo {
  private counted: Promise<Total> | undefined;

  constructor(
    readonly nodes: T[],
    private readonly cursorOf: (row: T) => string,
    readonly hasPreviousPage: boolean,
    readonly hasNextPage: boolean,
    private readonly total: () => Promise<Total>,
  ) {}

  get edges(): Edge<T>[] {
    return this.nodes.map((node) => ({ cursor: this.cursorOf(node), node }));
  }

  get pageInfo(): PageInfo {
    return this;
  }

  get startCursor(): string | null {
    return this.cursorAt(0);
  }

  get endCursor(): string | null {
    return this.cursorAt(-1);
  }

  get totalCount(): Promise<number> {
    return this.count().then(({ totalCount }) => totalCount);
  }

  get isEstimate(): Promise<boolean> {
    return this.count().then(({ isEstimate }) => isEstimate);
  }

  private cursorAt(index: number): string | null {
    const node = this.nodes.at(index);
    return node === undefined ? null : this.cursorOf(node);
  }

  private count(): Promise<Total> {
    this.counted ??= this.total();
    return this.counted;
  }
}

/** An opaque cursor over plain values; {@link decodeCursor} rejects anything not created here. */
export function encodeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

export type CursorArgument = 'after' | 'before';

type Cursors = Pick<BothWays, CursorArgument>;

/**
 * The values of an argument's cursor, `length` texts or numbers; null without a cursor. Fails with `invalid_cursor`.
 */
export function decodeCursor(cursors: Cursors, field: CursorArgument, length: number): (string | number)[] | null {
  const cursor = cursors[field];
  if (typeof cursor !== 'string') return null;
  const values = valuesOf(cursor);
  if (values?.length !== length) throw commonFailure('invalid_cursor', { field });
  return values;
}

/** The cursors of a list ordered by id; each contains the order's name from {@link orderName}. */
export const cursorOfId =
  (order: string) =>
  ({ id }: { id: string }): string =>
    encodeCursor([order, id]);

/**
 * The id in an argument's cursor from {@link cursorOfId}; null without a cursor. Fails with `invalid_cursor` for
 * cursors of other orders.
 */
export function idInCursor(cursors: Cursors, field: CursorArgument, order: string): string | null {
  const values = decodeCursor(cursors, field, 2);
  if (values === null) return null;
  const [name, id] = values;
  if (name !== order || !isUuid(id)) throw commonFailure('invalid_cursor', { field });
  return id;
}

/** The name of a list's order in its cursors, so that other lists and orders reject them. */
export const orderName = (list: { name: string }, field: string, direction: 'asc' | 'desc'): string =>
  `${list.name} ${field} ${direction}`;

/** The content of a cursor; null unless it is a list of numbers and of texts that PostgreSQL can store. */
function valuesOf(cursor: string): (string | number)[] | null {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isOurs =
      Array.isArray(values) &&
      values.every((value) => typeof value === 'number' || (typeof value === 'string' && isStorable(value)));
    return isOurs ? values : null;
  } catch {
    return null;
  }
}
