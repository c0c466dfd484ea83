import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { TypedDocument } from '../../data/typed-document.js';
import { useDocument } from '../../data/use-document.js';

const TYPED_MS = 150;

/** The first rows, for documents with `search`. */
interface FirstOfThem<Row> {
  nodes: Row[];
  pageInfo: { hasNextPage: boolean };
}

/** The options of a select, and a callback for what is typed, its `onSearchChange`. */
interface Offered<Row> {
  rows: readonly Row[];
  /** Whether there are more than the first rows; undefined while unknown. */
  hasMore: boolean | undefined;
  search: (typed: string) => void;
}

/**
 * Rows to choose from. If there are more than one answer holds, typing searches on the server.
 *
 * @param chosen always included
 */
export function useChoices<Data, Variables extends { search?: string | null }, Row extends { id: string }>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  pick: (data: Data) => FirstOfThem<Row> | null | undefined,
  { chosen, pause = false }: { chosen?: Row | null | undefined; pause?: boolean } = {},
): Offered<Row> {
  const [typed, search] = useState('');
  const [words] = useDebouncedValue(typed.trim(), TYPED_MS);
  const { data } = useDocument(document, variables, { requestPolicy: 'cache-first', pause });
  const first = data && pick(data);
  const hasMore = first?.pageInfo.hasNextPage;
  const pauseSearch = !hasMore || words === '';
  const { data: answer } = useDocument(
    document,
    { ...variables, search: words },
    { pause: pauseSearch, standsIn: true },
  );
  const found = answer && pick(answer);
  const all = [...(chosen ? [chosen] : []), ...(first?.nodes ?? []), ...(found?.nodes ?? [])];
  return { rows: [...new Map(all.map((row) => [row.id, row])).values()], hasMore, search };
}
