import { useEffect, useRef } from 'react';
import type { AnyVariables } from 'urql';
import { restShown } from './freshness.js';
import { useGoTo } from './scope.js';
import type { TypedDocument } from './typed-document.js';
import { type Changed, useChange } from './use-document.js';

/**
 * Deletes the page's object and goes to the page at `path`. Until that is shown, nothing on the old page is
 * refetched: the server no longer has it. After a failure everything stays.
 */
export function useDeletion<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  ...path: string[]
): (variables: Variables, done: string) => Promise<Changed<Data>> {
  const [remove] = useChange(document, { quiet: true });
  const goTo = useGoTo();
  const wake = useRef<() => void>(undefined);
  // The old page's queries end when it unmounts, in the same turn.
  useEffect(() => () => queueMicrotask(() => wake.current?.()), []);
  return async (variables, done) => {
    wake.current = restShown();
    const answered = await remove(variables, done);
    if (answered.error) wake.current();
    else goTo(...path);
    return answered;
  };
}
