import { enumType } from '../../../kernel/values/enum-type.js';

/** Modules that a project can switch off, as named in the handshake, plus surveys. */
export const SWITCHABLE_MODULES = ['switch', 'config', 'deploy', 'catch', 'analytics', 'pulse'] as const;

export const SwitchableModule = enumType('SwitchableModule', SWITCHABLE_MODULES, {
  description:
    'What clients can be left without: flags, config values, the release, the sample rate of crashes (which becomes 0) or cohorts. Without `switch`, no key can halt a flag. What clients send is stored all the same, and `pulse` changes nothing.',
});
