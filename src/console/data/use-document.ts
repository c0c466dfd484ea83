import { useCallback, useMemo, useRef } from 'react';
import {
  type AnyVariables,
  type CombinedError,
  createRequest,
  type OperationContext,
  type RequestPolicy,
  type UseQueryExecute,
  useMutation,
  useQuery,
} from 'urql';
import { isNotFound, isSignedOut, messageOf, refusalsIn, refusalText } from './failures.js';
import { notify, notifyFailure } from './notify.js';
import { signedInAgain } from './session.js';
import type { TypedDocument } from './typed-document.js';
import { isWarm } from './warm.js';

export interface DocumentResult<Data> {
  data: Data | undefined;
  error: CombinedError | undefined;
  fetching: boolean;
  /** Old data is shown while a new answer is on its way. */
  stale: boolean;
  refetch: UseQueryExecute;
}

const NOT_ANSWERED = { data: undefined, error: undefined, stale: false };

/**
 * A document's answer, requested on mount and again when a change affects it. The last answer stays while the
 * connection or session is broken. The answer to other variables is never shown for these, unless `standsIn`, which
 * shows it until theirs arrives.
 */
export function useDocument<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  {
    pause = false,
    requestPolicy = 'cache-and-network',
    standsIn = false,
  }: { pause?: boolean; requestPolicy?: RequestPolicy; standsIn?: boolean } = {},
): DocumentResult<Data> {
  const { key } = createRequest(document.toString(), variables);
  const policy = useMemo(() => (isWarm(key) ? 'cache-first' : requestPolicy), [key, requestPolicy]);
  const [state, refetch] = useQuery<Data, Variables>({
    query: document.toString(),
    variables,
    pause,
    requestPolicy: policy,
  } as Parameters<typeof useQuery<Data, Variables>>[0]);
  // urql keeps the previous variables' data until an answer to these arrives.
  const isOfThese = standsIn || state.operation === undefined || state.operation.key === key;
  const { data, error, fetching, stale } = isOfThese ? state : { ...NOT_ANSWERED, fetching: !pause };
  const last = useRef<{ key: number; data: Data | undefined }>({ key: 0, data: undefined });
  const isBroken = error !== undefined && (data === undefined || isSignedOut(error));
  if (isBroken && !isNotFound(error) && last.current.key === key)
    return { data: last.current.data, error, fetching, stale, refetch };
  last.current = { key, data };
  return { data, error, fetching, stale, refetch };
}

/** In a bulk mutation, `refused` holds the ids of the objects that were not changed. */
export type Changed<Data> =
  | { data: Data; refused: readonly string[]; error?: undefined }
  | { data?: undefined; error: CombinedError };

/**
 * A mutation: the function that runs it, and whether it is under way. Shows failures and refusals at the foot of the page in the server's
 * words, unless `quiet`, where the form shows them. `context` must stay the same object. Also shows `done`, with a button to undo if
 * `undo` is given.
 */
export function useChange<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  { quiet = false, context }: { quiet?: boolean; context?: Partial<OperationContext> } = {},
): [(variables: Variables, done?: string, undo?: () => unknown) => Promise<Changed<Data>>, boolean] {
  const [{ fetching }, execute] = useMutation<Data, Variables>(document.toString());
  const change = useCallback(
    async (variables: Variables, done?: string, undo?: () => unknown): Promise<Changed<Data>> => {
      let { data, error } = await execute(variables, context);
      // Nothing was done, so run it again after signing in.
      if (isSignedOut(error) && (await signedInAgain())) ({ data, error } = await execute(variables, context));
      if (error) {
        if (!quiet) notifyFailure(messageOf(error));
        return { error };
      }
      const bulk = refusalsIn(data);
      if (bulk.refused.length > 0) notifyFailure(refusalText(bulk));
      else if (done) notify(done, undo);
      return { data: data as Data, refused: bulk.refused.map(({ id }) => id) };
    },
    [execute, quiet, context],
  );
  return [change, fetching];
}
