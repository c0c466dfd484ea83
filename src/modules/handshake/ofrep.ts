import { type CompiledFlag, evaluateFlag, flagLacksBucket } from '../../targeting/flags/compiled-flag.js';
import { type OpenFeatureReason, openFeatureReason } from '../../targeting/flags/open-feature-reason.js';
import type { Subject } from '../../targeting/subject.js';
import { flagSubject } from '../switch/evaluation/flag-subject.js';
import type { Answer } from './answer.js';
import { entityTag } from './slice.js';
import type { Snapshot } from './snapshot.js';

/** Error codes of the OpenFeature Remote Evaluation Protocol 0.1.0 (open-feature/protocol, service/openapi.yaml). */
export type OfrepErrorCode = 'PARSE_ERROR' | 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT' | 'FLAG_NOT_FOUND' | 'GENERAL';

/** A flag that could not be evaluated, or a request without a flag's key that could not. */
export interface OfrepFailure {
  readonly key?: string;
  readonly errorCode: OfrepErrorCode;
  readonly errorDetails: string;
}

/** The evaluation of one flag. */
export interface OfrepSuccess {
  readonly key: string;
  readonly reason: OpenFeatureReason;
  readonly variant: string;
  readonly value: unknown;
  readonly metadata: { readonly version: number };
}

/** An evaluation context, read: who asks, and what the request says about them. */
export interface OfrepContext {
  readonly distinctId: string | null;
  readonly appVersion: string | null;
  readonly platform: string | null;
  readonly osVersion: string | null;
  readonly locale: string | null;
  /** Every attribute but the key, the version and the platform; it stands over the person's stored properties. */
  readonly context: ReadonlyMap<string, unknown>;
}

const NAMED = new Set(['targetingKey', 'app_version', 'appVersion', 'platform']);

/**
 * Reads the parsed body of an evaluation request, `{context:{targetingKey, …}}`. A missing context is an empty one.
 */
export function readOfrepContext(body: unknown): OfrepContext | OfrepFailure {
  if (!isObject(body)) return failure('PARSE_ERROR', 'The body must be a JSON object with a member "context".');
  const context = body.context ?? {};
  if (!isObject(context)) return failure('INVALID_CONTEXT', '"context" must be an object.');
  const { targetingKey, platform } = context;
  const appVersion = context.app_version ?? context.appVersion;
  for (const [name, value] of Object.entries({ targetingKey, platform, app_version: appVersion })) {
    if (value != null && typeof value !== 'string') return failure('INVALID_CONTEXT', `"${name}" must be a string.`);
  }
  return {
    distinctId: textOrNull(targetingKey),
    appVersion: textOrNull(appVersion),
    platform: textOrNull(platform),
    osVersion: textOrNull(context.os_version ?? context.osVersion),
    locale: textOrNull(context.locale),
    context: new Map(Object.entries(context).filter(([name]) => !NAMED.has(name))),
  };
}

/** Whether reading a context failed. */
export function isOfrepFailure(read: OfrepContext | OfrepFailure | OfrepSuccess): read is OfrepFailure {
  return 'errorCode' in read;
}

/** The evaluator's view of a context, together with what is stored about the person. */
export function ofrepSubject(
  context: OfrepContext,
  stored: { cohorts: Iterable<string>; properties: ReadonlyMap<string, unknown> },
  now: number,
): Subject {
  return flagSubject({ ...context, ...stored, now });
}

/** Evaluates one flag; an unknown key is `FLAG_NOT_FOUND`. */
export function ofrepEvaluation(snapshot: Snapshot, key: string, subject: Subject): OfrepSuccess | OfrepFailure {
  const flag = snapshot.flags.get(key);
  if (flag === undefined) return { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `There is no flag "${key}".` };
  return evaluate(flag, subject);
}

/** Evaluates all flags: `{flags:[…]}` with a strong entity tag over the answer. */
export function ofrepAnswer(snapshot: Snapshot, subject: Subject): Answer {
  const flags = [...snapshot.flags.values()].map((flag) => evaluate(flag, subject));
  const json = JSON.stringify({ flags });
  return { body: Buffer.from(json), etag: entityTag(json) };
}

function evaluate(flag: CompiledFlag, subject: Subject): OfrepSuccess | OfrepFailure {
  const { key } = flag;
  if (flagLacksBucket(flag, subject)) {
    return {
      key,
      errorCode: 'TARGETING_KEY_MISSING',
      errorDetails: 'A percentage or a split needs a "targetingKey", or the attribute that it is bucketed by.',
    };
  }
  const decision = evaluateFlag(flag, subject);
  const { variant, value, version } = decision;
  return { key, reason: openFeatureReason(flag, decision), variant, value, metadata: { version } };
}

function failure(errorCode: OfrepErrorCode, errorDetails: string): OfrepFailure {
  return { errorCode, errorDetails };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
