import type { Exchange } from 'urql';
import { pipe, tap } from 'wonka';
import { told } from './told.js';

const cutOff = told(false);

/** Says that the server gave no answer. */
export const tellCutOff = (): void => cutOff.set(true);

export const useIsCutOff = (): boolean => cutOff.use();

/**
 * Stands below the cache, which answers also while the server does not: no answer breaks the line, and one to what was asked since then shows
 * that it is whole again. What was asked before may have been answered before, too.
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
