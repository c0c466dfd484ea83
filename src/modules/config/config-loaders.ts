import type DataLoader from 'dataloader';
import { loader, type OperationContext } from '../../kernel/verb-context.js';
import { ConfigRule } from './config-rule.entity.js';

const RULES = Symbol('rules of config items');

/** Loads the rules of all items in an operation with one statement. */
export function ruleLoader(operation: OperationContext): DataLoader<string, ConfigRule | null> {
  return loader(operation, RULES, async (itemIds: readonly string[]) => {
    const rules = await operation.current.em.find(ConfigRule, { itemId: { $in: [...itemIds] } });
    const byItem = new Map(rules.map((rule) => [rule.itemId, rule]));
    return itemIds.map((id) => byItem.get(id) ?? null);
  });
}
