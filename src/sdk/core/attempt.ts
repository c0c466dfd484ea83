/** The result of a task, or `otherwise` if it throws. */
export function attempt<T>(task: () => T, otherwise?: T): T {
  try {
    return task();
  } catch {
    return otherwise as T;
  }
}
