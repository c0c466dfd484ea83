export type MaybePromise<T> = T | Promise<T>;

/**
 * Continues with a value, in the same turn if it is available, because every microtask turn is expensive on a busy
 * route.
 */
export function thenMaybe<T, Next>(value: MaybePromise<T>, next: (value: T) => MaybePromise<Next>): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
