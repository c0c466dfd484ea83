import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { Problem } from '../../targeting/rules/rule-problems.js';

/** Why the switch module refuses work (docs/rest.md, Flags). */
export type SwitchGate = 'module_disabled' | 'billing_suspended' | 'quota_exceeded';

export const switchFailure = defineFailures(
  {
    flag_not_found: () => 'No flag with this id or key is visible to you; list the flags of the project.',
    flag_key_taken: ({ key }: { key: string }) =>
      `The environment has a flag "${key}" already; change it, or choose another key.`,
    bad_flag_key: () => 'A key has 1 to 200 characters: letters, digits, dot, dash, colon and underscore.',
    invalid_flag: ({ problems }: { problems: Problem[] }) =>
      problems.map(({ path, problem }) => `${path} ${problem}`).join('; '),
    flag_archived: () => 'The flag is archived; bring it back with unarchiveFlag to change it.',
    flag_needed: ({ flags }: { flags: string[] }) =>
      `Other flags ask for it or for a variant that would be gone: ${flags.slice(0, 10).join(', ')}${flags.length > 10 ? ` and ${flags.length - 10} more` : ''}. Change their prerequisites first.`,
    flag_version_conflict: ({ expected, current }: { expected: number; current: number }) =>
      `You edited version ${expected}, but version ${current} is current; load the flag again and repeat the change.`,
    halt_flag_key_required: () => 'Say which flag to halt: flag_key.',
    halt_reason_required: () => 'Say why the flag is halted: reason.',
    halt_bad_environment: () => 'The environment is live or test.',
    switch_disabled: ({ reason }: { reason: SwitchGate }) =>
      `The switch module does not work for this project at the moment: ${reason}.`,
  },
  { flag_key_taken: 'key', bad_flag_key: 'key', halt_reason_required: 'reason' },
);

export type SwitchCode = FailureCode<typeof switchFailure>;

/** What only GraphQL meets. */
export const flagVersionFailure = defineFailures({
  flag_version_not_found: () => 'No version with this id is visible to you; list the versions of the flag.',
});
