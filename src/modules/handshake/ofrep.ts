import type { Subject } from '../../targeting/subject.js';
import { ANYBODY, type Decided, type DecisionCaller, NOTHING_SERVED, type ServedOutcomes } from './answer.js';
import { type OfrepErrorCode, type OfrepFailure, type OfrepSuccess, ofrepFlag } from './ofrep-flag.js';
import type { Snapshot } from './snapshot.js';

/** The attributes that aren't context. */
const NAMED = new Set(['targetingKey', 'app_version', 'appVersion', 'platform']);

/** Reads the parsed body of an evaluation request, `{context:{targetingKey, …}}`. A missing context is an empty one. */
export function readOfrepContext(body: unknown): DecisionCaller | OfrepFailure {
  if (!isObject(body)) return failure('PARSE_ERROR', 'The body must be a JSON object with a member "context".');
  const context = body.context ?? {};
  if (!isObject(context)) return failure('INVALID_CONTEXT', '"context" must be an object.');
  const { targetingKey, platform } = context;
  const appVersion = context.app_version ?? context.appVersion;
  if (!isTextOrNone(targetingKey)) return failure('INVALID_CONTEXT', '"targetingKey" must be a string.');
  if (!isTextOrNone(platform)) return failure('INVALID_CONTEXT', '"platform" must be a string.');
  if (!isTextOrNone(appVersion)) return failure('INVALID_CONTEXT', '"app_version" must be a string.');
  const attributes = new Map<string, unknown>();
  for (const name of Object.keys(context)) if (!NAMED.has(name)) attributes.set(name, context[name]);
  return {
    distinctId: targetingKey ?? null,
    appVersion: appVersion ?? null,
    platform: platform ?? null,
    osVersion: textOrNull(context.os_version ?? context.osVersion),
    locale: textOrNull(context.locale),
    context: attributes,
  };
}

export function isOfrepFailure(read: DecisionCaller | OfrepFailure | OfrepSuccess): read is OfrepFailure {
  return 'errorCode' in read;
}

/** Evaluates one flag; an unknown key is `FLAG_NOT_FOUND`. */
export function ofrepEvaluation(snapshot: Snapshot, key: string, subject: Subject): OfrepSuccess | OfrepFailure {
  const flag = snapshot.flags.get(key);
  if (flag === undefined) return { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `There is no flag "${key}".` };
  return ofrepFlag(flag, subject);
}

/** Answers all flags: `{flags:[…]}` under a strong entity tag. */
export function ofrepAnswer(snapshot: Snapshot, subject: Subject): Decided {
  const { etag, text, outcomes } = snapshot.ofrep()(subject);
  return { etag, json: () => ofrepText(text), served: { ...NOTHING_SERVED, ofrep: outcomes } };
}

/** The JSON of an {@link ofrepAnswer} that the same snapshot gave before, without deciding it again. */
export const servedOfrep = (snapshot: Snapshot, { ofrep }: ServedOutcomes): string =>
  ofrepText(snapshot.ofrep()(ANYBODY, ofrep).text);

const ofrepText = (text: () => string): string => `{"flags":[${text()}]}`;

function failure(errorCode: OfrepErrorCode, errorDetails: string): OfrepFailure {
  return { errorCode, errorDetails };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isTextOrNone = (value: unknown): value is string | null | undefined => value == null || typeof value === 'string';

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
