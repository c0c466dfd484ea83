import {
  type CompiledFlag,
  decideFlag,
  evaluateFlag,
  type FlagDecision,
  flagLacksBucket,
  flagNeedsBucket,
} from '../../targeting/flags/compiled-flag.js';
import { type OpenFeatureReason, openFeatureReason } from '../../targeting/flags/open-feature-reason.js';
import type { Subject } from '../../targeting/subject.js';
import { flagOutcomes } from './flag-slicer.js';
import { type Chooser, chooser, type Member } from './slice.js';

/** Error codes of the OpenFeature Remote Evaluation Protocol 0.1.0 (open-feature/protocol, service/openapi.yaml). */
export type OfrepErrorCode = 'PARSE_ERROR' | 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT' | 'FLAG_NOT_FOUND' | 'GENERAL';

/** A flag that couldn't be evaluated, or a request without a flag key that couldn't. */
export interface OfrepFailure {
  readonly key?: string;
  readonly errorCode: OfrepErrorCode;
  readonly errorDetails: string;
}

export interface OfrepSuccess {
  readonly key: string;
  readonly reason: OpenFeatureReason;
  readonly variant: string;
  readonly value: unknown;
  readonly metadata: { readonly version: number };
}

export const ofrepChooser = (members: readonly Member[]): Chooser => chooser('ofrep', members);

export function ofrepMember(flag: CompiledFlag, id: string): Member {
  const outcomes = flag.outcomes.map((outcome) => JSON.stringify(success(flag, outcome)));
  const lacking = outcomes.length;
  return {
    texts: flagNeedsBucket(flag) ? [...outcomes, JSON.stringify(keyMissing(flag))] : outcomes,
    choose: (subject) => (flagLacksBucket(flag, subject) ? lacking : decideFlag(flag, subject)),
    outcomes: () => flagOutcomes(flag, id),
  };
}

export function ofrepFlag(flag: CompiledFlag, subject: Subject): OfrepSuccess | OfrepFailure {
  return flagLacksBucket(flag, subject) ? keyMissing(flag) : success(flag, evaluateFlag(flag, subject));
}

function success(flag: CompiledFlag, decision: FlagDecision): OfrepSuccess {
  const { variant, value, version } = decision;
  return { key: flag.key, reason: openFeatureReason(flag, decision), variant, value, metadata: { version } };
}

function keyMissing({ key }: CompiledFlag): OfrepFailure {
  return {
    key,
    errorCode: 'TARGETING_KEY_MISSING',
    errorDetails: 'A percentage or a split needs a "targetingKey", or the attribute used for bucketing.',
  };
}
