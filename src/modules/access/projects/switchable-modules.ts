import { enumType } from '../../../kernel/values/enum-type.js';

/** Modules that a project can switch off, as named in the handshake, plus surveys. */
export const SWITCHABLE_MODULES = ['switch', 'config', 'deploy', 'catch', 'analytics', 'pulse'] as const;

export const SwitchableModule = enumType('SwitchableModule', SWITCHABLE_MODULES);
