import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Runs a statement in the transaction of `em` with bound values, `$1` and so on. `em.execute` inlines values into the
 * text, which for megabytes of JSON costs more than the statement itself. Fails with the driver's own errors.
 */
export async function executeBound<T extends object>(
  em: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<T[]> {
  const statement = { sql: text, parameters: values, query: { kind: 'RawNode' }, queryId: { queryId: 'bound' } };
  // The library's type wants a complete query tree, but it reads only this much of a text.
  return (await em.getKysely().executeQuery(statement as never)).rows as T[];
}
