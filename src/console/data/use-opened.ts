import { useRouter, useSearch } from '@tanstack/react-router';
import { useSearchState } from './use-search-state.js';

/** In the history entry: the step was made here, and going back undoes it. */
interface Step {
  opened?: string;
}

/**
 * Whether a form named in the address is open, so that a link or the finder can open it and the browser's Back button
 * closes it.
 *
 * @param name its name in the address
 * @param may if false, it stays closed
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
