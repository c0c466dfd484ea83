import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useSearchState } from '../../data/use-search-state.js';

/** The text of a search field: it is in the address once the typing pauses. */
export function useTypedSearch(): [string, (text: string) => void] {
  const [search, change] = useSearchState();
  const [typed, setTyped] = useState(search.q ?? '');
  const ask = useDebouncedCallback((text: string) => change({ q: text.trim() || null }), 200);
  return [
    typed,
    (text) => {
      setTyped(text);
      ask(text);
    },
  ];
}
