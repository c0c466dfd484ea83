import { useCallback } from 'react';
import {
  type AnyVariables,
  type CombinedError,
  type RequestPolicy,
  type UseQueryExecute,
  useMutation,
  useQuery,
} from 'urql';
import { messageOf } from './failures.js';
import { tell, tellFailure } from './tell.js';

/** A document with the types of its answer and its variables, as the build writes it from a `.graphql` file. */
export interface TypedDocument<Data, Variables> {
  toString(): string;
  __apiType?: (variables: Variables) => Data;
}

export interface Asked<Data> {
  data: Data | undefined;
  error: CombinedError | undefined;
  fetching: boolean;
  /** Old data stands here while a new answer is awaited. */
  stale: boolean;
  refetch: UseQueryExecute;
}

/** What a document answers; asked on mount, and again when somebody's change has touched it. */
export function useDocument<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  { pause = false, requestPolicy = 'cache-and-network' }: { pause?: boolean; requestPolicy?: RequestPolicy } = {},
): Asked<Data> {
  const [{ data, error, fetching, stale }, refetch] = useQuery<Data, Variables>({
    query: document.toString(),
    variables,
    pause,
    requestPolicy,
  } as Parameters<typeof useQuery<Data, Variables>>[0]);
  return { data, error, fetching, stale, refetch };
}

export type Changed<Data> = { data: Data; error?: undefined } | { data?: undefined; error: CombinedError };

/**
 * A mutation: the function that runs it, and whether it is under way. A failure is told at the foot of the page in the server's
 * words unless `quiet`, where the form tells it. `done` is told there too, with a way back where `undo` takes it back.
 */
export function useChange<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  { quiet = false }: { quiet?: boolean } = {},
): [(variables: Variables, done?: string, undo?: () => unknown) => Promise<Changed<Data>>, boolean] {
  const [{ fetching }, execute] = useMutation<Data, Variables>(document.toString());
  const change = useCallback(
    async (variables: Variables, done?: string, undo?: () => unknown): Promise<Changed<Data>> => {
      const { data, error } = await execute(variables);
      if (error) {
        if (!quiet) tellFailure(messageOf(error));
        return { error };
      }
      if (done) tell(done, undo);
      return { data: data as Data };
    },
    [execute, quiet],
  );
  return [change, fetching];
}
