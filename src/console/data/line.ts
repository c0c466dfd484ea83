import type { Exchange } from 'urql';
import { pipe, tap } from 'wonka';
import { createStore } from './store.js';

const cutOff = createStore(false);

/** Records that the server didn't answer. */
export const tellCutOff = (): void => cutOff.set(true);

export const useIsCutOff = (): boolean => cutOff.use();

/**
 * Goes below the cache, which answers even when the server doesn't. A missing answer marks the connection as lost,
 * and an answer to a later request marks it as restored. Answers to earlier requests don't count, as they may date from before the loss.
 */
export const watchedLine: Exchange =
  ({ forward }) =>
  (operations) => {
    const askedSince = new Set<number>();
    return pipe(
      forward(
        pipe(
          operations,
          tap(({ kind, key }) => (kind === 'teardown' ? askedSince.delete(key) : askedSince.add(key))),
        ),
      ),
      tap(({ operation, error }) => {
        if (error?.networkError) {
          askedSince.clear();
          tellCutOff();
        } else if (askedSince.delete(operation.key)) cutOff.set(false);
      }),
    );
  };
