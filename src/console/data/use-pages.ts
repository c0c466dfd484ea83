import { useCallback, useEffect, useRef, useState } from 'react';
import { type AnyVariables, type CombinedError, useClient } from 'urql';
import { isTooLarge } from './failures.js';
import { PAGES_REFRESHED } from './freshness.js';
import type { TypedDocument } from './typed-document.js';

/** A page size that fits the server's limit however large the rows are. */
const FEW_ROWS = 4;

/** When a list keeps changing, pages far down are refreshed at most this often, and once more at the end of a burst. */
const FAR_PAGES_AT_MOST_EVERY_MS = 3_000;

/** A connection of the schema, as the documents query it. */
export interface Connection<Row> {
  nodes: Row[];
  totalCount?: number;
  isEstimate?: boolean;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

export interface Pages<Row> {
  /** The document with its variables. */
  question: string;
  /** A new array whenever pages are answered, and only then. */
  rows: Row[];
  totalCount: number | undefined;
  isEstimate: boolean;
  hasMore: boolean;
  /** Another query's rows are shown until the answer arrives. */
  isBusy: boolean;
  isKnown: boolean;
  error: CombinedError | undefined;
  /** Why the next page failed to load; `loadMore` retries it. */
  restError: CombinedError | undefined;
  loadMore(): void;
}

export interface WithId {
  id: string;
}

interface Page<Row> extends Connection<Row> {
  /** The cursor it was requested with. */
  after: string | null;
}

interface Shown<Row> {
  key: string;
  pages: Page<Row>[];
  rows: Row[];
  /** The last error, with the page it belongs to. */
  failed: { at: number; error: CombinedError } | undefined;
}

/** A page's request, and how to stop it. */
interface Followed {
  after: string | null;
  size: { first?: number };
  /** Its last answer was an error. Pages far down are not retried automatically. */
  isFailed: boolean;
  stop: () => void;
}

interface FarPages {
  /** The cursor of the first of them. */
  after: string | null;
  askedAt: number;
  due: ReturnType<typeof setTimeout> | undefined;
}

/** The pages' rows. Between a page that has moved and those yet to follow, rows stay where they were. */
function rowsOf<Row extends WithId>(pages: readonly Page<Row>[], before: readonly Row[]): Row[] {
  const gap = pages.findIndex(({ after }, at) => at > 0 && after !== pages[at - 1]?.pageInfo.endCursor);
  if (gap < 0) return pages.flatMap(({ nodes }) => nodes);
  const moved = pages.slice(0, gap).flatMap(({ nodes }) => nodes);
  const following = before.slice(before.findIndex(({ id }) => id === moved.at(-1)?.id) + 1);
  const rest = pages.slice(gap).flatMap(({ nodes }) => nodes);
  const known = new Map<string, Row>();
  for (const row of [...moved, ...following, ...rest]) if (!known.has(row.id)) known.set(row.id, row);
  return [...known.values()];
}

/**
 * A list loaded page by page while scrolling. Every loaded page stays up to date and starts where the previous one
 * ends. If rows are too large for a whole page, and the document has a variable `first`, it requests a few at a time.
 */
export function usePages<Data, Variables extends AnyVariables, Row extends WithId>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  pick: (data: Data) => Connection<Row> | null | undefined,
): Pages<Row> {
  const client = useClient();
  const key = document.toString() + JSON.stringify(variables);
  const [shown, setShown] = useState<Shown<Row>>({ key: '', pages: [], rows: [], failed: undefined });
  const following = useRef<Followed[]>([]);
  const far = useRef<FarPages>({ after: null, askedAt: 0, due: undefined });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key covers the document, the variables and the picked field
  const follow = useCallback(
    (at: number, after: string | null, size: Followed['size'] = {}) => {
      const followed = following.current;
      const entry: Followed = { after, size, isFailed: false, stop: () => undefined };
      const requestPolicy = at === 0 ? 'cache-and-network' : 'cache-first';
      const { unsubscribe } = client
        .query<Data>(document.toString(), { ...variables, after, ...size }, { requestPolicy, page: at })
        .subscribe(({ data, error }) => {
          if (following.current !== followed) return;
          const page = data && pick(data);
          entry.isFailed = !page;
          if (!page && isTooLarge(error) && !size.first) {
            follow(at, after, { first: FEW_ROWS });
            return;
          }
          setShown((before) => {
            const known = before.key === key ? before : { key, pages: [], rows: [] };
            if (!page) return error ? { ...known, failed: { at, error } } : before;
            const pages = page.pageInfo.hasNextPage ? [...known.pages] : known.pages.slice(0, at + 1);
            pages[at] = { ...page, after };
            return { key, pages, rows: rowsOf(pages, known.rows), failed: undefined };
          });
          if (!page) return;
          if (!page.pageInfo.hasNextPage) for (const { stop } of followed.splice(at + 1)) stop();
          else if (at + 1 === PAGES_REFRESHED) followFar(page.pageInfo.endCursor);
          else followNext(at + 1, page.pageInfo.endCursor);
          if (at === 0)
            for (const [failedAt, failed] of followed.entries()) {
              if (!failed.isFailed) continue;
              failed.stop();
              follow(failedAt, failed.after, failed.size);
            }
        });
      followed[at]?.stop();
      followed[at] = entry;
      entry.stop = unsubscribe;
    },
    [client, key],
  );

  const followNext = (at: number, after: string | null): void => {
    const next = following.current[at];
    if (next && next.after !== after) follow(at, after, next.size);
  };
  const followFar = (after: string | null): void => {
    const pages = far.current;
    pages.after = after;
    if (pages.due !== undefined || following.current[PAGES_REFRESHED]?.after === after) return;
    const ask = () => {
      pages.due = undefined;
      pages.askedAt = Date.now();
      followNext(PAGES_REFRESHED, pages.after);
    };
    const wait = pages.askedAt + FAR_PAGES_AT_MOST_EVERY_MS - Date.now();
    if (wait <= 0) ask();
    else pages.due = setTimeout(ask, wait);
  };

  useEffect(() => {
    const followed: Followed[] = [];
    following.current = followed;
    follow(0, null);
    return () => {
      for (const { stop } of followed) stop();
      clearTimeout(far.current.due);
      far.current.due = undefined;
    };
  }, [follow]);

  const last = shown.key === key ? shown.pages.at(-1) : undefined;
  const loadMore = useCallback(() => {
    const next = following.current[shown.pages.length];
    if (!last?.pageInfo.hasNextPage || (next && !next.isFailed)) return;
    next?.stop();
    setShown((before) => ({ ...before, failed: undefined }));
    follow(shown.pages.length, last.pageInfo.endCursor, next?.size);
  }, [last, shown.pages.length, follow]);

  return {
    question: key,
    rows: shown.rows,
    totalCount: shown.pages[0]?.totalCount,
    isEstimate: shown.pages[0]?.isEstimate ?? false,
    hasMore: last?.pageInfo.hasNextPage ?? false,
    isBusy: shown.key !== key && shown.key !== '',
    isKnown: shown.pages.length > 0,
    error: shown.failed?.error,
    restError: last && shown.failed?.at === shown.pages.length ? shown.failed.error : undefined,
    loadMore,
  };
}
