import type { CompiledFlag, FlagDecision } from './compiled-flag.js';

/** Resolution reasons of OpenFeature (specification, types). */
export const OPEN_FEATURE_REASONS = ['DISABLED', 'TARGETING_MATCH', 'SPLIT', 'DEFAULT', 'STATIC'] as const;
export type OpenFeatureReason = (typeof OPEN_FEATURE_REASONS)[number];

const REASONS: Record<FlagDecision['reason'], OpenFeatureReason> = {
  halted: 'DISABLED',
  archived: 'DISABLED',
  prerequisite: 'DEFAULT',
  rule: 'TARGETING_MATCH',
  rollout: 'SPLIT',
  default: 'DEFAULT',
};

/** A flag's reason as OpenFeature names it. */
export function openFeatureReason(flag: CompiledFlag, { reason }: FlagDecision): OpenFeatureReason {
  const isStatic = flag.rules.rules.length === 0 && flag.prerequisites.length === 0;
  return reason === 'default' && isStatic ? 'STATIC' : REASONS[reason];
}
