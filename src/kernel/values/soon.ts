/** What is there already, or will be. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value: in this turn where it is there already, because every turn of the microtask queue is expensive on a busy route. */
export function goOn<T, Next>(value: Soon<T>, next: (value: T) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
