import { useRouter, useSearch } from '@tanstack/react-router';
import { useSearchState } from './use-search-state.js';

/** In the history beside an address: the step was made here, and a step back undoes it. */
interface Step {
  opened?: string;
}

/**
 * Whether a form is open that the address names, so that a link or the finder opens it and the browser's way back closes it.
 *
 * @param name its name in the address
 * @param may where the viewer may not use it, it stays shut
 */
export function useOpened(name: string, may: boolean): [isOpen: boolean, open: () => void, close: () => void] {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const [, change] = useSearchState();
  const { history } = useRouter();
  const open = () => change({ [name]: 'yes' }, { opened: name } satisfies Step);
  const close = () => {
    if ((history.location.state as Step).opened === name) history.back();
    else change({ [name]: null });
  };
  return [may && search[name] !== undefined, open, close];
}
