import type DataLoader from 'dataloader';
import type { Statement } from '../../kernel/context.js';
import { decodeCursor, encodeCursor, type Page, pageOf } from '../../kernel/paging.js';
import { loader, type OperationContext } from '../../kernel/verb-context.js';
import { ConfigRule } from './config-rule.entity.js';
import type { ConfigVersion } from './config-version.entity.js';

const RULES = Symbol('rules of config items');
const VERSIONS = Symbol('versions of config items');

/** Loads the rules of all items of an operation in one statement. */
export function ruleLoader(operation: OperationContext): DataLoader<string, ConfigRule | null> {
  return loader(operation, RULES, async (itemIds: readonly string[]) => {
    const rules = await operation.current.em.find(ConfigRule, { itemId: { $in: [...itemIds] } });
    const byItem = new Map(rules.map((rule) => [rule.itemId, rule]));
    return itemIds.map((id) => byItem.get(id) ?? null);
  });
}

interface VersionPage {
  itemId: string;
  first: number;
  after: string | null;
}

/** Loads a page of versions, newest first, for each item of an operation: one statement for each size and cursor asked for. */
export function versionLoader(operation: OperationContext): DataLoader<VersionPage, Page<ConfigVersion>, string> {
  return loader(
    operation,
    VERSIONS,
    async (pages: readonly VersionPage[]) => {
      const groups = Map.groupBy(pages, ({ first, after }) => `${first} ${after ?? ''}`);
      const found = new Map<string, Page<ConfigVersion>>();
      for (const group of groups.values()) {
        for (const [key, page] of await versionPages(operation, group)) found.set(key, page);
      }
      return pages.map((page) => found.get(keyOf(page)) as Page<ConfigVersion>);
    },
    keyOf,
  );
}

const keyOf = ({ itemId, first, after }: VersionPage): string => `${itemId} ${first} ${after ?? ''}`;

const VERSION_PAGES: Statement = {
  name: 'config-version-pages',
  text: `select v.id, v.item_id as "itemId", v.version_number as "versionNumber", v.action,
                v.value_snapshot as "valueSnapshot", v.rule_snapshot as "ruleSnapshot", v.actor_id as "actorId",
                v.actor_email as "actorEmail", v.note, v.created_at as "createdAt"
           from unnest($1::uuid[]) as item(id)
          cross join lateral (
            select * from config_version where item_id = item.id and ($2::int is null or version_number < $2::int)
             order by version_number desc limit $3
          ) v`,
};

/** Where a version stands in its item's history. */
export const versionCursor = ({ versionNumber }: { versionNumber: number }): string => encodeCursor([versionNumber]);

async function versionPages(
  operation: OperationContext,
  group: VersionPage[],
): Promise<[string, Page<ConfigVersion>][]> {
  const { first, after } = group[0] as VersionPage;
  const before = after === null ? null : Number(decodeCursor(after, 1)[0]);
  const itemIds = group.map(({ itemId }) => itemId);
  const versions = await operation.current.rows<ConfigVersion>(VERSION_PAGES, [itemIds, before, first + 1]);
  const byItem = Map.groupBy(versions, (version) => version.itemId);
  return group.map((page) => [keyOf(page), pageOf(byItem.get(page.itemId) ?? [], first, versionCursor, after)]);
}
