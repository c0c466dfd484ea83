import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
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
 * @param may if false, it stays closed, and the address no longer names it; undefined while unknown
 */
export function useOpened(
  name: string,
  may: boolean | undefined,
): [isOpen: boolean, open: () => void, close: () => void] {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const [, change] = useSearchState();
  const { history } = useRouter();
  const open = () => change({ [name]: 'yes' }, { opened: name } satisfies Step);
  const close = () => {
    if ((history.location.state as Step).opened === name) history.back();
    else change({ [name]: null });
  };
  const isNamed = search[name] !== undefined;
  const isRefused = isNamed && may === false;
  // Otherwise it would open by itself once it is allowed again, as when someone resumes a flag.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes once
  useEffect(() => {
    if (isRefused) change({ [name]: null });
  }, [isRefused]);
  return [may === true && isNamed, open, close];
}
