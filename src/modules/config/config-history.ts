import { actorRecord } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import type { ConfigItem } from './config-item.entity.js';
import { ConfigRule } from './config-rule.entity.js';
import { type ConfigAction, ConfigVersion } from './config-version.entity.js';
import { furtherRules, type ItemRule, snapshotOfRules, wireRule } from './rules/item-rule.js';
import { snapshotOf } from './value-types.js';

/** Appends a version with the item's current value and rules. The caller holds the lock on the item's row. */
export function appendVersion(
  ctx: Context,
  item: ConfigItem,
  rules: readonly ItemRule[],
  action: ConfigAction,
  note: string | null,
): ConfigVersion {
  item.currentVersion += 1;
  item.updatedAt = ctx.now();
  return ctx.em.create(ConfigVersion, {
    itemId: item.id,
    versionNumber: item.currentVersion,
    action,
    valueSnapshot: snapshotOf(item.type, item.defaultValue),
    ruleSnapshot: snapshotOfRules(rules),
    ...actorRecord(ctx.actor),
    note,
    createdAt: ctx.now(),
  });
}

/** Replaces the stored rules of an item with the given ones; the wire's rule is created, changed in place, or removed. */
export function replaceRules(
  ctx: Context,
  item: ConfigItem,
  stored: ConfigRule | null,
  rules: readonly ItemRule[],
): ConfigRule | null {
  item.furtherRules = furtherRules(rules);
  const wanted = wireRule(rules);
  if (!wanted) {
    if (stored) ctx.em.remove(stored);
    return null;
  }
  const { cohort, value } = wanted;
  const now = ctx.now();
  if (!stored) return ctx.em.create(ConfigRule, { itemId: item.id, cohort, value, createdAt: now, updatedAt: now });
  if (stored.cohort !== cohort || stored.value !== value) {
    stored.cohort = cohort;
    stored.value = value;
    stored.updatedAt = now;
  }
  return stored;
}
