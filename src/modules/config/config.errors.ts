import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { Problem } from '../../targeting/rules/rule-problems.js';
import type { ValueTypeName } from './value-types.js';

/** The value that is meant: the item's own, its rule's, or one of its rules'. */
export type ValueField = 'value' | 'rule.value' | `rules[${number}].${string}`;

export const configFailure = defineFailures(
  {
    item_not_found: () => 'No config item with this id is visible to you; list the items of the project.',
    version_not_found: () => 'This item has no version with this id; list its versions.',
    version_id_required: () => 'Say which version to restore: version_id.',
    version_conflict: ({ expected, current }: { expected: number; current: number }) =>
      `You edited version ${expected}, but version ${current} is current; load the item again and repeat the change.`,
    key_taken: ({ key }: { key: string }) =>
      `The environment has an item "${key}" already; change it, or choose another key.`,
    bad_key: () => 'A key has 1 to 200 characters: letters, digits, dot, dash and underscore.',
    bad_value: ({ type, field, problem }: { type: ValueTypeName; field: ValueField; problem?: string }) =>
      `The ${field} cannot be read as ${type}${problem === undefined ? '' : ` by every client: it has ${problem}`}.`,
    bad_rule: () => 'A rule names a cohort (1 to 200 characters) and a value.',
    bad_rules: ({ problems }: { problems: Problem[] }) =>
      problems.map(({ path, problem }) => `${path} ${problem}`).join('; '),
    rule_and_rules: () => 'Give the one rule or all rules, not both.',
    value_too_large: ({ field, most, unit }: { field: ValueField; most: number; unit: 'bytes' | 'levels' }) =>
      `The ${field} has more than ${most} ${unit}; divide it among several items.`,
    bad_schema: ({ problem, place }: { problem: string; place: string }) =>
      `The JSON Schema cannot be used (at ${place}): ${problem}.`,
    schema_violation: ({ field, problems }: { field: ValueField; problems: string[] }) =>
      `The ${field} does not satisfy the item's JSON Schema: ${problems.join('; ')}.`,
    schema_timeout: ({ field, milliseconds }: { field: ValueField; milliseconds: number }) =>
      `Checking the ${field} by the item's JSON Schema takes more than ${milliseconds} ms or too much memory; simplify the schema: its patterns, uniqueItems, and references that multiply.`,
    check_busy: () => 'Too many values are being checked at the moment; try again shortly.',
    item_archived: () => 'The item is archived; bring it back with unarchiveConfigItem to change it.',
  },
  {
    version_id_required: 'versionId',
    key_taken: 'key',
    bad_key: 'key',
    bad_rule: 'rule',
    rule_and_rules: 'rules',
    bad_schema: 'jsonSchema',
  },
);

export type ConfigCode = FailureCode<typeof configFailure>;
