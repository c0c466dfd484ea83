interface Closing {
  close(): Promise<void>;
}

/** Providers in use for each library, which OpenFeature replaces one by one: it starts the next before it closes the last. */
const users = new WeakMap<Closing, Set<object>>();

/** Counts a provider as a user of a library. False if the library was closed with its last provider. */
export function joinLibrary(library: Closing, provider: object): boolean {
  const known = users.get(library);
  if (known?.size === 0) return false;
  users.set(library, (known ?? new Set()).add(provider));
  return true;
}

/** Closes the library if no other provider uses it. */
export async function leaveLibrary(library: Closing, provider: object): Promise<void> {
  const left = users.get(library) ?? new Set();
  left.delete(provider);
  users.set(library, left);
  if (left.size === 0) await library.close();
}
