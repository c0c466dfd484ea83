import type { Env } from '../env.js';
import { createLogger } from '../kernel/logger.js';
import { openOrm, TABLES_WITHOUT_ENTITY } from '../orm.js';
import type { BackedUpTable } from '../storage/backup/backup-manifest.js';
import { qualified } from '../storage/databases.js';

/** The tables in a backup that a restore leaves out because they don't belong to Quarterdeck. */
export async function foreignTables(
  tables: readonly BackedUpTable[],
  databaseUrl: string,
  env: Env,
): Promise<string[]> {
  const orm = await openOrm(databaseUrl, env, createLogger('silent'));
  const own = [...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName);
  await orm.close();
  const schema = tables.find(({ name }) => name === 'organization')?.schema;
  const isOwn = (table: BackedUpTable): boolean =>
    table.schema === 'pgboss' ||
    (table.schema === schema &&
      [...own, ...TABLES_WITHOUT_ENTITY].some((each) =>
        typeof each === 'string' ? each === table.name : each.test(table.name),
      ));
  return tables.filter((table) => !isOwn(table)).map((table) => qualified(table.schema, table.name));
}
