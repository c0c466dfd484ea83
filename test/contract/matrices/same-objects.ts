import type { MatrixObjects } from './matrix-objects.js';

/** Reuses an object of the same kind if there is one, for operations that only read what they are given. */
export function sameObjects(objects: MatrixObjects): MatrixObjects {
  const made = new Map<string, unknown>();
  return new Proxy(objects, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const key = JSON.stringify([name, given]);
        if (!made.has(key)) made.set(key, value.apply(target, given));
        return made.get(key);
      };
    },
  });
}
