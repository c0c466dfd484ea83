import { useSearchState } from './use-search-state.js';

/** Whether the form for a new thing is open: in the address, so that a link or the finder opens it. */
export function useCreating(): [boolean, { open: () => void; close: () => void }] {
  const [search, change] = useSearchState();
  return [Boolean(search.new), { open: () => change({ new: 'yes' }), close: () => change({ new: null }) }];
}
