/** The fields of `now` that differ from `before`. */
export function changedOf<T extends object>(before: T, now: T): Partial<T> {
  const isChanged = (name: keyof T): boolean => JSON.stringify(before[name]) !== JSON.stringify(now[name]);
  const names = (Object.keys(now) as (keyof T)[]).filter(isChanged);
  return Object.fromEntries(names.map((name) => [name, now[name]])) as Partial<T>;
}
