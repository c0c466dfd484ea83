/** What a task gives; `otherwise` where it throws. */
export function attempt<T>(task: () => T, otherwise?: T): T {
  try {
    return task();
  } catch {
    return otherwise as T;
  }
}
