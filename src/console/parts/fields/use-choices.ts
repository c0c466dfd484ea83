import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { TypedDocument } from '../../data/typed-document.js';
import { useDocument } from '../../data/use-document.js';

const TYPED_MS = 150;

/** The first of them, as a document with `search` asks for them. */
interface FirstOfThem<Row> {
  nodes: Row[];
  pageInfo: { hasNextPage: boolean };
}

/** What a select offers, and what it is to be told of the typing, as its `onSearchChange`. */
interface Offered<Row> {
  rows: readonly Row[];
  /** Whether there are more than the first; undefined as long as nobody knows. */
  hasMore: boolean | undefined;
  search: (typed: string) => void;
}

/**
 * Rows to choose from. Where there are more than the first answer has, what is typed is searched for on the server.
 *
 * @param chosen is among them in any case
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
