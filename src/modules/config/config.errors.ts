import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { ValueTypeName } from './value-types.js';

export const configFailure = defineFailures({
  item_not_found: () => 'No config item with this id is visible to you.',
  version_not_found: () => 'This item has no version with this id; list its versions.',
  version_id_required: () => 'Say which version to restore: version_id.',
  version_conflict: ({ expected, current }: { expected: number; current: number }) =>
    `You edited version ${expected}, but version ${current} is current; load the item again and repeat the change.`,
  key_taken: ({ key }: { key: string }) =>
    `The environment has an item "${key}" already; change it, or choose another key.`,
  bad_key: () => 'A key has 1 to 200 characters: letters, digits, dot, dash and underscore.',
  bad_value: ({ type, field }: { type: ValueTypeName; field: 'value' | 'rule.value' }) =>
    `The ${field} is not the text of a ${type}.`,
  bad_rule: () => 'A rule names a cohort (1 to 200 characters) and a value.',
  bad_schema: ({ problem }: { problem: string }) => `The JSON Schema cannot be used: ${problem}.`,
  schema_violation: ({ field, problems }: { field: 'value' | 'rule.value'; problems: string[] }) =>
    `The ${field} does not satisfy the item's JSON Schema: ${problems.join('; ')}.`,
  item_archived: () => 'The item is archived; bring it back with unarchiveConfigItem to change it.',
});

export type ConfigCode = FailureCode<typeof configFailure>;
