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
  const version = new ConfigVersion();
  item.currentVersion += 1;
  Object.assign(version, {
    itemId: item.id,
    versionNumber: item.currentVersion,
    action,
    valueSnapshot: snapshotOf(item.type, item.defaultValue),
    ruleSnapshot: rule && JSON.stringify({ cohort: rule.cohort, value: rule.value }),
    ...actorRecord(ctx.actor),
    note,
    createdAt: ctx.now(),
  });
  item.updatedAt = ctx.now();
  ctx.em.persist(version);
  return version;
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
  const rule = stored ?? new ConfigRule();
  if (!stored) {
    Object.assign(rule, { itemId: item.id, createdAt: ctx.now() });
    ctx.em.persist(rule);
  }
  if (rule.cohort !== wanted.cohort || rule.value !== wanted.value) {
    Object.assign(rule, { cohort: wanted.cohort, value: wanted.value, updatedAt: ctx.now() });
  }
  return rule;
}
