import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type AnyVariables, type CombinedError, useClient } from 'urql';
import { isTooLarge } from './failures.js';
import type { TypedDocument } from './typed-document.js';

/** Rows, as large as any, that the server sends at once. */
export const FEW_ROWS = 4;

/** A connection of the schema, as documents ask it. */
export interface Connection<Row> {
  nodes: Row[];
  totalCount?: number;
  isEstimate?: boolean;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

export interface Pages<Row> {
  /** A new array whenever a page was asked for and answered, and only then. */
  rows: Row[];
  totalCount: number | undefined;
  isEstimate: boolean;
  hasMore: boolean;
  /** The rows of another question stand here until the answer comes. */
  isBusy: boolean;
  isKnown: boolean;
  error: CombinedError | undefined;
  loadMore(): void;
}

interface Shown<Row> {
  key: string;
  pages: Connection<Row>[];
  error: CombinedError | undefined;
}

/**
 * A list that is read page by page as one goes down; every page that was read stays up to date. Where rows are too large for a whole page, a
 * document with a variable `first` is asked for a few.
 */
export function usePages<Data, Variables extends AnyVariables, Row>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  pick: (data: Data) => Connection<Row> | null | undefined,
): Pages<Row> {
  const client = useClient();
  const key = document.toString() + JSON.stringify(variables);
  const [shown, setShown] = useState<Shown<Row>>({ key: '', pages: [], error: undefined });
  const following = useRef<{ key: string; stops: (() => void)[] }>({ key: '', stops: [] });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the document, the variables and what is picked
  const follow = useCallback(
    (at: number, after: string | null, size: { first?: number } = {}) => {
      const { stops } = following.current;
      const requestPolicy = at === 0 ? 'cache-and-network' : 'cache-first';
      const { unsubscribe } = client
        .query<Data>(document.toString(), { ...variables, after, ...size }, { requestPolicy, page: at })
        .subscribe(({ data, error }) => {
          const page = data && pick(data);
          if (!page && isTooLarge(error) && !size.first) {
            if (following.current.stops === stops) follow(at, after, { first: FEW_ROWS });
            return;
          }
          setShown((before) => {
            const pages = before.key === key ? [...before.pages] : [];
            if (page) pages[at] = page;
            return page || error ? { key, pages, error: page ? undefined : error } : before;
          });
        });
      stops[at]?.();
      stops[at] = unsubscribe;
    },
    [client, key],
  );

  useEffect(() => {
    following.current = { key, stops: [] };
    follow(0, null);
    const { stops } = following.current;
    return () => {
      for (const stop of stops) stop();
    };
  }, [key, follow]);

  const last = shown.key === key ? shown.pages.at(-1) : undefined;
  const loadMore = useCallback(() => {
    if (!last?.pageInfo.hasNextPage || following.current.stops.length > shown.pages.length) return;
    follow(shown.pages.length, last.pageInfo.endCursor);
  }, [last, shown.pages.length, follow]);

  const rows = useMemo(() => shown.pages.flatMap(({ nodes }) => nodes), [shown]);
  return {
    rows,
    totalCount: shown.pages[0]?.totalCount,
    isEstimate: shown.pages[0]?.isEstimate ?? false,
    hasMore: last?.pageInfo.hasNextPage ?? false,
    isBusy: shown.key !== key && shown.key !== '',
    isKnown: shown.pages.length > 0,
    error: shown.error,
    loadMore,
  };
}
