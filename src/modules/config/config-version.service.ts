import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import { DomainError } from '../../kernel/errors.js';
import { isUuid } from '../../kernel/ids.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { type ListOwner, listOfOwner } from '../access/graph/list-edge.js';
import { hasRole } from '../access/guard.js';
import { authorizeRow } from '../access/project-rows.js';
import { VERSIONS_SHOWN } from '../quotas/limits.js';
import { configFailure } from './config.errors.js';
import type { ConfigRollback, ConfigRollbackPreview } from './config.results.js';
import { appendVersion, replaceRules } from './config-history.js';
import { ConfigItem } from './config-item.entity.js';
import { type ConfigItemService, refuseStale, ruleValue } from './config-item.service.js';
import { CONFIG_VERSIONS } from './config-lists.js';
import { ConfigRule } from './config-rule.entity.js';
import { ConfigVersion } from './config-version.entity.js';
import { type ItemRule, rulesOf, rulesOfSnapshot, snapshotWithoutEmails, wireRule } from './rules/item-rule.js';
import { rulesWithJson } from './rules/json-beside-text.js';
import type { CheckedItem, ValueChecks } from './value-checks.js';
import { snapshotOf, valueOfSnapshot } from './value-types.js';

export interface Rollback {
  itemId: unknown;
  /** Undefined if the caller named none. */
  versionId: string | undefined;
  note?: string | null;
  expectedVersion?: number | null;
}

/** The append-only history of config items (docs/rest.md, Remote config). */
export class ConfigVersionService {
  constructor(
    private readonly items: ConfigItemService,
    private readonly events: EventLog,
    private readonly checks: ValueChecks,
  ) {}

  /** The versions of an item that the caller has been shown, newest first. */
  listOf(operation: OperationContext, item: ListOwner, args: ListArgs): Promise<Page<ConfigVersion>> {
    return listOfOwner(operation, 'config.item.view', CONFIG_VERSIONS, item, args);
  }

  /** Fails with `version_not_found`. */
  async get(ctx: Context, id: string): Promise<ConfigVersion> {
    const version = isUuid(id) ? await ctx.em.findOne(ConfigVersion, { id }) : null;
    const item = version && (await ctx.em.findOne(ConfigItem, { id: version.itemId }));
    await authorizeRow(ctx, 'config.item.view', item, () => configFailure('version_not_found'));
    return version as ConfigVersion;
  }

  /** The most recent 100 versions, newest first (4.1); below Editor without email addresses in the conditions of rules. */
  async list(ctx: Context, itemId: unknown): Promise<ConfigVersion[]> {
    const { row: item } = await this.items.rows.visible(ctx, 'config.item.view', itemId);
    const versions = await ctx.em.find(
      ConfigVersion,
      { itemId: item.id },
      { orderBy: { versionNumber: 'desc' }, limit: VERSIONS_SHOWN },
    );
    if (await hasRole(ctx, item.projectId, 'editor')) return versions;
    return versions.map((version) => ({ ...version, ruleSnapshot: snapshotWithoutEmails(version.ruleSnapshot) }));
  }

  /**
   * Appends a version equal to an earlier one and applies it to the item and its rule (4.2). Fails with `item_not_found`,
   * `permission_denied`, `version_id_required`, `version_not_found`, `version_conflict` and like {@link ValueChecks.check}.
   */
  async rollback(ctx: Context, input: Rollback): Promise<ConfigRollback> {
    const { row: item, project } = await this.items.rows.locked(ctx, 'config.item.roll_back', input.itemId);
    const target = await this.target(ctx, item, input.versionId);
    refuseStale(item, input.expectedVersion);
    const stored = await ctx.em.findOne(ConfigRule, { itemId: item.id });
    const before = { value: item.defaultValue, rule: stored && ruleValue(stored), version: item.currentVersion };
    item.defaultValue = valueOfSnapshot(item.type, target.valueSnapshot);
    const wanted = rulesOfSnapshot(target.ruleSnapshot);
    await this.checks.check(ctx, project.organizationId, item, wanted);
    const note = typeof input.note === 'string' ? storableText(input.note) : null;
    const version = appendVersion(ctx, item, wanted, 'rolled_back', note);
    const rule = replaceRules(ctx, item, stored, wanted);
    this.events.emit(ctx, 'config.item.rolled_back', {
      project,
      environment: item.environment,
      object: { type: 'config_item', id: item.id },
      data: {
        item_id: item.id,
        key: item.key,
        version: version.versionNumber,
        restored_version: target.versionNumber,
        note,
      },
      before,
      after: { value: item.defaultValue, rule: wireRule(wanted), version: item.currentVersion },
    });
    return { item, version, rule };
  }

  /** What a {@link rollback} to this version would change; nothing is stored. */
  async preview(ctx: Context, itemId: string, versionId: string): Promise<ConfigRollbackPreview> {
    const { row: item, project } = await this.items.rows.visible(ctx, 'config.item.view', itemId);
    const version = await this.target(ctx, item, versionId);
    const stored = await ctx.em.findOne(ConfigRule, { itemId: item.id });
    const currentRules = rulesOf(item.furtherRules, stored && ruleValue(stored));
    const { type, jsonSchema } = item;
    const restored = { type, jsonSchema, defaultValue: valueOfSnapshot(type, version.valueSnapshot) };
    const restoredRules = rulesOfSnapshot(version.ruleSnapshot);
    const sameValue = version.valueSnapshot === snapshotOf(item.type, item.defaultValue);
    const sameRules = JSON.stringify(currentRules) === JSON.stringify(restoredRules);
    return {
      projectId: item.projectId,
      item,
      version,
      currentValue: item.defaultValue,
      restoredValue: restored.defaultValue,
      currentRule: wireRule(currentRules),
      restoredRule: wireRule(restoredRules),
      currentRules: rulesWithJson(item.type, currentRules),
      restoredRules: rulesWithJson(item.type, restoredRules),
      changes: !(sameValue && sameRules),
      obstacle: await this.obstacleOf(ctx, project.organizationId, restored, restoredRules),
    };
  }

  private async obstacleOf(
    ctx: Context,
    organizationId: string,
    item: CheckedItem,
    rules: readonly ItemRule[],
  ): Promise<string | null> {
    try {
      await this.checks.check(ctx, organizationId, item, rules);
      return null;
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'check_busy') return error.message;
      throw error;
    }
  }

  private async target(ctx: Context, item: ConfigItem, versionId: string | undefined): Promise<ConfigVersion> {
    if (!versionId) throw configFailure('version_id_required');
    const target = isUuid(versionId) ? await ctx.em.findOne(ConfigVersion, { id: versionId, itemId: item.id }) : null;
    if (!target) throw configFailure('version_not_found');
    return target;
  }
}
