import { registerEnumType } from 'type-graphql';

/** Modules that a project can switch off, as named in the handshake, plus surveys. */
export const SWITCHABLE_MODULES = ['switch', 'config', 'deploy', 'catch', 'analytics', 'pulse'] as const;

export const SwitchableModule = Object.fromEntries(SWITCHABLE_MODULES.map((module) => [module, module]));
registerEnumType(SwitchableModule, { name: 'SwitchableModule' });
