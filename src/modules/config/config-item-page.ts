import type { Environment } from '../../kernel/actor.js';
import type { Context, Statement } from '../../kernel/context.js';
import { commonFailure } from '../../kernel/errors.js';
import { isUuid } from '../../kernel/ids.js';
import { decodeCursor, encodeCursor, type Page, type PageArgs, pageOf } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import type { ConfigItem } from './config-item.entity.js';
import type { ConfigRule } from './config-rule.entity.js';

export interface ItemFilter {
  projectId: string;
  environment: Environment;
  includeArchived?: boolean | null;
  keyPrefix?: string | null;
}

/** An item of a list, with its rule at hand. */
export type ListedItem = ConfigItem & { rule: ConfigRule | null };

const ITEM_PAGE: Statement = {
  name: 'config-item-page',
  text: `select i.id, i.project_id as "projectId", i.environment, i.key, i.type, i.default_value as "defaultValue",
                i.description, i.json_schema as "jsonSchema", i.is_archived as "isArchived",
                i.current_version as "currentVersion", i.created_at as "createdAt", i.updated_at as "updatedAt",
                r.id as "ruleId", r.cohort as "ruleCohort", r.value as "ruleValue", r.created_at as "ruleCreatedAt",
                r.updated_at as "ruleUpdatedAt"
           from config_item i left join config_rule r on r.item_id = i.id
          where i.project_id = $1 and i.environment = $2 and ($3 or not i.is_archived)
            and ($4::text is null or starts_with(i.key, $4))
            and ($5::timestamptz is null or (i.created_at, i.id) > ($5, $6::uuid))
          order by i.created_at, i.id limit $7`,
};

interface ItemRow extends ListedItem {
  ruleId: string | null;
  ruleCohort: string;
  ruleValue: string;
  ruleCreatedAt: Date;
  ruleUpdatedAt: Date;
}

/** Items of an environment with their rules, oldest first, in one statement. Fails with `invalid_cursor`. */
export async function itemPage(ctx: Context, filter: ItemFilter, page: PageArgs): Promise<Page<ListedItem>> {
  const [createdAt, id] = page.after ? placeOf(page.after) : [null, null];
  const rows = await ctx.rows<ItemRow>(ITEM_PAGE, [
    filter.projectId,
    filter.environment,
    Boolean(filter.includeArchived),
    filter.keyPrefix ? storableText(filter.keyPrefix) : null,
    createdAt,
    id,
    page.first + 1,
  ]);
  for (const row of rows) row.rule = ruleOf(row);
  return pageOf(rows, page.first, (item) => encodeCursor([item.createdAt.toISOString(), item.id]), page.after);
}

function ruleOf({ id, ruleId, ruleCohort, ruleValue, ruleCreatedAt, ruleUpdatedAt }: ItemRow): ConfigRule | null {
  if (ruleId === null) return null;
  return {
    id: ruleId,
    itemId: id,
    cohort: ruleCohort,
    value: ruleValue,
    createdAt: ruleCreatedAt,
    updatedAt: ruleUpdatedAt,
  };
}

function placeOf(cursor: string): [createdAt: string, id: string] {
  const [createdAt, id] = decodeCursor(cursor, 2);
  if (typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt)) || !isUuid(id))
    throw commonFailure('invalid_cursor');
  return [new Date(createdAt).toISOString(), id];
}
