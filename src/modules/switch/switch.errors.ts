import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { Problem } from '../../targeting/rules/rule-problems.js';

/** Why the switch module is disabled (docs/rest.md, Flags). */
export type SwitchGate = 'module_disabled' | 'billing_suspended' | 'quota_exceeded';

export const switchFailure = defineFailures(
  {
    flag_not_found: () => 'No flag with this id or key is visible to you. List the flags of the project.',
    flag_key_taken: ({ key }: { key: string }) =>
      `The environment already has a flag "${key}". Change it, or choose another key.`,
    bad_flag_key: () => 'A key must have 1 to 200 characters: letters, digits, dot, dash, colon and underscore.',
    invalid_flag: ({ problems }: { problems: Problem[] }) =>
      problems.map(({ path, problem }) => `${path} ${problem}`).join('; '),
    flag_archived: () => 'The flag is archived. To change it, bring it back with unarchiveFlag first.',
    flag_needed: ({ flags }: { flags: string[] }) =>
      `Other flags depend on it or on a variant that would be removed: ${flags.slice(0, 10).join(', ')}${flags.length > 10 ? ` and ${flags.length - 10} more` : ''}. Change their prerequisites first.`,
    flag_version_conflict: ({ expected, current }: { expected: number; current: number }) =>
      `You edited version ${expected}, but the current version is ${current}. Reload the flag and repeat your change.`,
    halt_flag_key_required: () => 'Set flag_key to the flag to halt.',
    halt_reason_required: () => 'Set reason to say why the flag is halted.',
    halt_bad_environment: () => 'environment must be live or test.',
    switch_disabled: ({ reason }: { reason: SwitchGate }) =>
      `The switch module is currently disabled for this project: ${reason}.`,
  },
  { flag_key_taken: 'key', bad_flag_key: 'key', halt_reason_required: 'reason' },
);

export type SwitchCode = FailureCode<typeof switchFailure>;

/** Errors that only occur in GraphQL. */
export const flagVersionFailure = defineFailures({
  flag_version_not_found: () => 'No version with this id is visible to you. List the versions of the flag.',
});
