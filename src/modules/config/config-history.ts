import { actorRecord } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import type { ConfigItem } from './config-item.entity.js';
import { ConfigRule } from './config-rule.entity.js';
import { type ConfigAction, ConfigVersion } from './config-version.entity.js';
import { snapshotOf } from './value-types.js';

export interface RuleValue {
  cohort: string;
  value: string;
}

/** Appends the version that the item's present value and rule make up. The caller holds the lock on the item's row. */
export function appendVersion(
  ctx: Context,
  item: ConfigItem,
  rule: RuleValue | null,
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
    ruleSnapshot: rule && JSON.stringify({ cohort: rule.cohort, value: rule.value }),
    ...actorRecord(ctx.actor),
    note,
    createdAt: ctx.now(),
  });
}

/** The rule that a snapshot holds. */
export function ruleOfSnapshot(snapshot: string | null): RuleValue | null {
  return snapshot === null ? null : (JSON.parse(snapshot) as RuleValue);
}

/** Makes the stored rule of an item equal to the wanted one: created, changed in place, or removed. */
export function replaceRule(
  ctx: Context,
  item: ConfigItem,
  stored: ConfigRule | null,
  wanted: RuleValue | null,
): ConfigRule | null {
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
