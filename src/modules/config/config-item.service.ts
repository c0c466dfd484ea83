import type { EventLog } from '../../events/event-log.js';
import type { Environment } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import { unlessTaken } from '../../kernel/database/unless-taken.js';
import type { Page } from '../../kernel/paging.js';
import { storableJson, storableText } from '../../kernel/text.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { listOfOwner } from '../access/graph/list-edge.js';
import { authorize } from '../access/guard.js';
import { ProjectRows } from '../access/project-rows.js';
import type { Project } from '../access/projects/project.entity.js';
import { configFailure } from './config.errors.js';
import type { CreateConfigItemInput, UpdateConfigItemInput } from './config.inputs.js';
import { appendVersion, replaceRules } from './config-history.js';
import { ConfigItem } from './config-item.entity.js';
import { CONFIG_ITEMS, type ConfigItemListArgs, plainConditions } from './config-lists.js';
import { ConfigRule } from './config-rule.entity.js';
import {
  completeItemRules,
  type ItemRule,
  type ItemRuleDraft,
  type RuleValue,
  rulesOf,
  wireRule,
  withWireRule,
} from './rules/item-rule.js';
import { ruleValues } from './rules/rule-checks.js';
import { refuseMisread, schemaText, type ValueChecks } from './value-checks.js';

const KEY = /^[A-Za-z0-9._-]{1,200}$/;

/** Config items and their values. Every change to a value or rule appends a version in the same transaction. */
export class ConfigItemService {
  readonly rows = new ProjectRows(ConfigItem, 'uuid', () => configFailure('item_not_found'));

  constructor(
    private readonly events: EventLog,
    private readonly checks: ValueChecks,
  ) {}

  list(operation: OperationContext, projectId: string, args: ConfigItemListArgs): Promise<Page<ConfigItem>> {
    return listOfOwner(operation, 'config.item.view', CONFIG_ITEMS, projectId, args, plainConditions(args));
  }

  get(ctx: Context, id: string): Promise<ConfigItem> {
    return this.rows.get(ctx, 'config.item.view', id);
  }

  /** Fails with `item_not_found`. */
  async getByKey(ctx: Context, projectId: string, environment: Environment, key: string): Promise<ConfigItem> {
    const project = await authorize(ctx, 'config.item.view', projectId);
    const item = await ctx.em.findOne(ConfigItem, { projectId: project.id, environment, key });
    if (!item) throw configFailure('item_not_found');
    return item;
  }

  /** A new item with its version 1. Fails with `bad_key`, `key_taken` and like {@link ValueChecks.check}. */
  async create(ctx: Context, input: CreateConfigItemInput): Promise<ConfigItem> {
    const project = await authorize(ctx, 'config.item.change', input.projectId);
    if (!KEY.test(input.key)) throw configFailure('bad_key');
    const item = ctx.em.create(ConfigItem, {
      projectId: project.id,
      environment: input.environment,
      key: input.key,
      type: input.type,
      defaultValue: storableText(input.value),
      description: storableText(input.description ?? ''),
      jsonSchema: schemaOf(input.jsonSchema),
      currentVersion: 0,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    });
    const wanted = wantedRules([], input);
    await this.checks.check(ctx, project.organizationId, item, wanted);
    refuseMisread(item.type, [{ field: 'value', value: item.defaultValue }, ...ruleValues(wanted)]);
    const version = appendVersion(ctx, item, wanted, 'created', textOrNull(input.note));
    replaceRules(ctx, item, null, wanted);
    this.events.emitChange(ctx, 'config.item.created', aboutItem(project, item), null, {
      ...snapshotOfItem(item),
      rule: wireRule(wanted),
      note: version.note,
    });
    await unlessTaken(ctx.em.flush(), () => configFailure('key_taken', { key: input.key }));
    return item;
  }

  /**
   * Changes value, rule, description or schema. A new value or rule appends a version; anything else doesn't. Fails with `item_not_found`,
   * `item_archived`, `version_conflict` and like {@link create}.
   */
  async update(ctx: Context, input: UpdateConfigItemInput): Promise<ConfigItem> {
    const { row: item, project } = await this.rows.locked(ctx, 'config.item.change', input.id);
    refuseStale(item, input.expectedVersion);
    if (item.isArchived) throw configFailure('item_archived');
    const stored = await ctx.em.findOne(ConfigRule, { itemId: item.id });
    const present = rulesOf(item.furtherRules, stored && ruleValue(stored));
    const before = { ...snapshotOfItem(item), rule: wireRule(present) };
    const wanted = wantedRules(present, input);
    if (input.jsonSchema !== undefined) item.jsonSchema = schemaOf(input.jsonSchema);
    if (typeof input.value === 'string') item.defaultValue = storableText(input.value);
    if (typeof input.description === 'string') item.description = storableText(input.description);
    const changed = item.defaultValue !== before.value || JSON.stringify(wanted) !== JSON.stringify(present);
    if (changed || input.jsonSchema !== undefined) await this.checks.check(ctx, project.organizationId, item, wanted);
    if (item.defaultValue !== before.value) refuseMisread(item.type, [{ field: 'value', value: item.defaultValue }]);
    if (wanted !== present) refuseMisread(item.type, ruleValues(wanted));
    item.updatedAt = ctx.now();
    if (changed) {
      replaceRules(ctx, item, stored, wanted);
      appendVersion(ctx, item, wanted, 'changed', textOrNull(input.note));
    }
    this.events.emitChange(ctx, 'config.item.changed', aboutItem(project, item), before, {
      ...snapshotOfItem(item),
      rule: wireRule(wanted),
    });
    return item;
  }

  /** Removes an item from decisions, or brings it back, without appending a version. Repeating it changes nothing. */
  async setArchived(ctx: Context, id: string, archived: boolean): Promise<ConfigItem> {
    const { row: item, project } = await this.rows.locked(ctx, 'config.item.archive', id);
    if (item.isArchived === archived) return item;
    const before = snapshotOfItem(item);
    item.isArchived = archived;
    item.updatedAt = ctx.now();
    this.events.emitChange(
      ctx,
      archived ? 'config.item.archived' : 'config.item.unarchived',
      aboutItem(project, item),
      before,
      snapshotOfItem(item),
    );
    return item;
  }
}

const aboutItem = (project: Project, item: ConfigItem) => ({
  project,
  environment: item.environment,
  object: { type: 'config_item', id: item.id },
  data: { item_id: item.id, key: item.key, version: item.currentVersion },
});

/** Rejects a change based on a version older than the current one. */
export function refuseStale(item: ConfigItem, expected: number | null | undefined): void {
  if (typeof expected === 'number' && expected !== item.currentVersion)
    throw configFailure('version_conflict', { expected, current: item.currentVersion });
}

export const ruleValue = (rule: ConfigRule): RuleValue => ({ cohort: rule.cohort, value: rule.value });

const textOrNull = (text: string | null | undefined): string | null =>
  typeof text === 'string' ? storableText(text) : null;

/** The rules after merging the given ones into the current ones: all of them, or the wire's single rule among them. */
function wantedRules(
  present: readonly ItemRule[],
  input: Pick<UpdateConfigItemInput, 'rule' | 'rules'>,
): readonly ItemRule[] {
  if (input.rules) {
    if (input.rule) throw configFailure('rule_and_rules');
    return completeItemRules(storableJson(input.rules) as ItemRuleDraft[], present);
  }
  return input.rule === undefined ? present : withWireRule(present, storableJson(input.rule) as RuleValue | null);
}

const snapshotOfItem = (item: ConfigItem) => ({
  value: item.defaultValue,
  description: item.description,
  jsonSchema: item.jsonSchema,
  isArchived: item.isArchived,
  ...(item.furtherRules ? { rules: item.furtherRules } : {}),
  version: item.currentVersion,
});

function schemaOf(schema: unknown): object | boolean | null {
  if (schema === null || schema === undefined) return null;
  schemaText(schema);
  return storableJson(schema) as object | boolean;
}
