import { type CompiledFlag, decideFlag, type FlagDecision } from '../../targeting/flags/compiled-flag.js';
import type { Outcome } from '../quotas/decisions/decision-counts.js';
import { constantSlicer, type Member, mapSlicer, type Slicer } from './slice.js';

/** Answers `{enabled, flags:{key:{value,variant,reason,version}}, etag}` (docs/rest.md, Handshake). */
export function flagSlicer(enabled: boolean, members: readonly Member[]): Slicer {
  if (!enabled) return constantSlicer('{"enabled":false,"flags":{}');
  return mapSlicer('{"enabled":true,"flags":{', members);
}

export function flagMember(flag: CompiledFlag, id: string): Member {
  const key = JSON.stringify(flag.key);
  return {
    texts: flag.outcomes.map((outcome) => `${key}:${decisionText(outcome)}`),
    choose: (subject) => decideFlag(flag, subject),
    outcomes: () => flagOutcomes(flag, id),
  };
}

export function flagOutcomes({ outcomes }: CompiledFlag, id: string): Outcome[] {
  return outcomes.map(({ version, variant }) => ({ objectId: id, version, outcome: variant }));
}

function decisionText({ value, variant, reason, version }: FlagDecision): string {
  return JSON.stringify({ value, variant, reason, version });
}
