import { RawQueryFragment } from '@mikro-orm/postgresql';

/**
 * A key that query conditions share only if they select the same rows. JSON would not work: MikroORM keeps raw SQL
 * under symbols, which JSON omits, and serializes a fragment among the values without its parameters.
 */
export function conditionKey(condition: unknown): string {
  const raw = RawQueryFragment.getKnownFragment(condition);
  if (raw) return `raw(${JSON.stringify(raw.sql)},${conditionKey(raw.params)})`;
  if (condition === undefined || condition === null) return 'null';
  if (condition instanceof Date) return `at(${condition.toISOString()})`;
  if (Array.isArray(condition)) return `[${condition.map(conditionKey).join(',')}]`;
  if (typeof condition !== 'object') return JSON.stringify(condition);
  const parts = Reflect.ownKeys(condition).flatMap((key) => {
    const value = (condition as Record<string | symbol, unknown>)[key];
    if (value === undefined) return [];
    return [`${typeof key === 'symbol' ? conditionKey(key) : JSON.stringify(key)}:${conditionKey(value)}`];
  });
  return `{${parts.join(',')}}`;
}
