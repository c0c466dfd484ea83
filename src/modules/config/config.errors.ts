import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { Problem } from '../../targeting/rules/rule-problems.js';
import type { ValueTypeName } from './value-types.js';

/** The value in question: the item's own, its rule's, or one of its rules'. */
export type ValueField = 'value' | 'rule.value' | `rules[${number}].${string}`;

export const configFailure = defineFailures(
  {
    item_not_found: () => 'No config item with this id is visible to you. List the items of the project.',
    version_not_found: () => 'This item has no version with this id. List its versions.',
    version_id_required: () => 'Set version_id to the version to restore.',
    version_conflict: ({ expected, current }: { expected: number; current: number }) =>
      `You edited version ${expected}, but the current version is ${current}. Reload the item and repeat your change.`,
    key_taken: ({ key }: { key: string }) =>
      `The environment already has an item "${key}". Change it, or choose another key.`,
    bad_key: () => 'A key must have 1 to 200 characters: letters, digits, dot, dash and underscore.',
    bad_value: ({ type, field, problem }: { type: ValueTypeName; field: ValueField; problem?: string }) =>
      problem === undefined
        ? `The ${field} is not a valid ${type}.`
        : `The ${field} is not ${type} that every client can read: it has ${problem}.`,
    bad_rule: () => 'A rule needs a cohort (1 to 200 characters) and a value.',
    bad_rules: ({ problems }: { problems: Problem[] }) =>
      problems.map(({ path, problem }) => `${path} ${problem}`).join('; '),
    rule_and_rules: () => 'Set either the single rule or all rules, not both.',
    value_too_large: ({ field, most, unit }: { field: ValueField; most: number; unit: 'bytes' | 'levels' }) =>
      `The ${field} has more than ${most} ${unit}. Split it into several items.`,
    bad_schema: ({ problem, place }: { problem: string; place: string }) =>
      `The JSON Schema is invalid (at ${place}): ${problem}.`,
    schema_violation: ({ field, problems }: { field: ValueField; problems: string[] }) =>
      `The ${field} does not match the item's JSON Schema: ${problems.join('; ')}.`,
    schema_timeout: ({ field, milliseconds }: { field: ValueField; milliseconds: number }) =>
      `Checking the ${field} against the item's JSON Schema takes more than ${milliseconds} ms or too much memory. Simplify the schema: its patterns, uniqueItems, and references that multiply.`,
    check_busy: () => 'Too many values are being checked right now. Try again shortly.',
    item_archived: () => 'The item is archived. To change it, bring it back with unarchiveConfigItem first.',
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
