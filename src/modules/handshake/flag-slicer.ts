import { type CompiledFlag, decideFlag, type FlagDecision } from '../../targeting/flags/compiled-flag.js';
import { constantSlicer, type Member, mapSlicer, type Slicer } from './slice.js';

/** Answers `{enabled, flags:{key:{value,variant,reason,version}}, etag}` (docs/rest.md, Handshake). */
export function flagSlicer(enabled: boolean, flags: readonly CompiledFlag[]): Slicer {
  if (!enabled) return constantSlicer('{"enabled":false,"flags":{}');
  return mapSlicer('{"enabled":true,"flags":{', flags.map(member));
}

function member(flag: CompiledFlag): Member {
  const key = JSON.stringify(flag.key);
  return {
    texts: flag.outcomes.map((outcome) => `${key}:${decisionText(outcome)}`),
    choose: (subject) => decideFlag(flag, subject),
  };
}

function decisionText({ value, variant, reason, version }: FlagDecision): string {
  return JSON.stringify({ value, variant, reason, version });
}
