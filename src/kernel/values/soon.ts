/** A value that is available now or later. */
export type Soon<T> = T | Promise<T>;

/**
 * Continues with a value, in the same turn if it is available, because every microtask turn is expensive on a busy
 * route.
 */
export function goOn<T, Next>(value: Soon<T>, next: (value: T) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
