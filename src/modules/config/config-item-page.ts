import type { Environment } from '../../kernel/actor.js';
import type { Context, Statement } from '../../kernel/context.js';
import { INSTANTS_AS_TEXT, instantText } from '../../kernel/database/instant-text.js';
import { commonFailure } from '../../kernel/errors.js';
import { isUuid } from '../../kernel/ids.js';
import { countList } from '../../kernel/lists/list-pages.js';
import { decodeCursor, encodeCursor, type Page, pageOf } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import { authorizeRows, type GuardedRow } from '../access/guard.js';
import type { ConfigItem } from './config-item.entity.js';
import { CONFIG_ITEMS, CONFIG_VERSIONS, type ConfigItemListArgs, plainConditions } from './config-lists.js';
import type { ConfigRule } from './config-rule.entity.js';
import type { ConfigVersion } from './config-version.entity.js';

/** An entity of a list, its instants as text. */
type Listed<T> = Omit<T, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string };

/** An item of a list, with its rule at hand, and its newest versions if they were wanted. */
export interface ListedItem extends Listed<ConfigItem> {
  rule: Listed<ConfigRule> | null;
  newest?: { first: number; page: Page<ListedVersion> };
}

type ListedVersion = Omit<ConfigVersion, 'createdAt'> & { createdAt: string };

/** A project that the caller's organization has answers one row at least, even without items. */
const ITEM_PAGE: Statement = {
  name: 'config-item-page',
  types: INSTANTS_AS_TEXT,
  text: `select o.role as "overridingRole", i.*, v.versions
           from project p
           left join project_role o on o.project_id = p.id and o.user_id = $3
           left join lateral (
             select i.id, i.key, i.type, i.default_value as "defaultValue", i.description, i.json_schema as "jsonSchema", i.is_archived as "isArchived", i.rules as "furtherRules",
                    i.current_version as "currentVersion", i.created_at as "createdAt", i.updated_at as "updatedAt",
                    r.id as "ruleId", r.cohort as "ruleCohort", r.value as "ruleValue",
                    r.created_at as "ruleCreatedAt", r.updated_at as "ruleUpdatedAt"
               from config_item i left join config_rule r on r.item_id = i.id
              where i.project_id = p.id and i.environment = $4 and ($5 or not i.is_archived)
                and ($6::text is null or starts_with(i.key, $6))
                and ($7::timestamptz is null or (i.created_at, i.id) > ($7, $8::uuid))
              order by i.created_at, i.id limit $9
           ) i on true
           left join lateral (
             select json_agg(version) as versions from (
               select id, version_number as "versionNumber", action, value_snapshot as "valueSnapshot", rule_snapshot as "ruleSnapshot", actor_id as "actorId",
                      actor_email as "actorEmail", note, created_at as "createdAt"
                 from config_version where item_id = i.id order by version_number desc limit $10
             ) version
           ) v on $10 > 0
          where p.id = $1 and p.organization_id = $2
          order by i."createdAt", i.id`,
};

interface ItemRow extends GuardedRow, Omit<Listed<ConfigItem>, 'projectId' | 'environment'> {
  ruleId: string | null;
  ruleCohort: string;
  ruleValue: string;
  ruleCreatedAt: string;
  ruleUpdatedAt: string;
  versions: ListedVersion[] | null;
}

/** A row without an item stands for the project alone. */
type FoundRow = ItemRow | (GuardedRow & { id: null });

/**
 * Items of an environment with their rules, oldest first, and as many of each one's newest versions as are wanted, in one
 * statement that also says whether the caller may see them. Answers what the list of the project answers to plain arguments.
 * Fails as `authorize` and with `invalid_cursor`.
 */
export async function itemPage(
  ctx: Context,
  projectId: string,
  args: ConfigItemListArgs,
  versions: number | null,
): Promise<Page<ListedItem>> {
  const { first, after, environment } = args;
  const place = after ? placeOf(after) : START;
  const rows = await authorizeRows<FoundRow>(ctx, 'config.item.view', projectId, (actor) =>
    ctx.rows(ITEM_PAGE, [
      projectId,
      actor.organizationId,
      actor.userId,
      environment,
      Boolean(args.includeArchived),
      args.keyPrefix ? storableText(args.keyPrefix) : null,
      ...(place ?? START),
      place ? first + 1 : 0,
      versions === null ? 0 : versions + 1,
    ]),
  );
  if (!place) throw commonFailure('invalid_cursor');
  const items = rows
    .filter((row) => row.id !== null)
    .map((row) => {
      const item = itemOf(row, projectId, environment);
      if (versions !== null) item.newest = { first: versions, page: versionPage(ctx, row, versions) };
      return item;
    });
  const total = () => countList(ctx, CONFIG_ITEMS, projectId, args, plainConditions(args));
  return pageOf(items, first, (item) => encodeCursor([ITEM_ORDER, item.createdAt, item.id]), total, after);
}

function itemOf(row: ItemRow, projectId: string, environment: Environment): ListedItem {
  const item = row as ItemRow & ListedItem;
  item.projectId = projectId.toLowerCase();
  item.environment = environment;
  item.rule = ruleOf(row);
  return item;
}

function versionPage(ctx: Context, { id, versions }: ItemRow, first: number): Page<ListedVersion> {
  const found = versions ?? [];
  for (const version of found) {
    version.itemId = id;
    version.createdAt = instantText(version.createdAt);
  }
  const cursorOf = (version: ListedVersion) => encodeCursor([VERSION_ORDER, version.versionNumber, version.id]);
  const total = () => countList(ctx, CONFIG_VERSIONS, id, { first }, {});
  return pageOf(found, first, cursorOf, total);
}

function ruleOf({
  id,
  ruleId,
  ruleCohort,
  ruleValue,
  ruleCreatedAt,
  ruleUpdatedAt,
}: ItemRow): Listed<ConfigRule> | null {
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

/** The orders of these lists, as the cursors of {@link readPages} name them. */
const ITEM_ORDER = 'createdAt asc';
const VERSION_ORDER = 'versionNumber desc';

type Place = [createdAt: string | null, id: string | null];

const START: Place = [null, null];

/** Null for a cursor that was not made here, which is reported only to callers who may see the list. */
function placeOf(cursor: string): Place | null {
  try {
    const [order, createdAt, id] = decodeCursor(cursor, 3);
    if (order !== ITEM_ORDER || typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt)) || !isUuid(id))
      return null;
    return [new Date(createdAt).toISOString(), id];
  } catch {
    return null;
  }
}
