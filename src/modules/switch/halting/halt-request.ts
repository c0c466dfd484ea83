import { type Environment, isEnvironment } from '../../../kernel/actor.js';
import { storableText } from '../../../kernel/text.js';
import { switchFailure } from '../switch.errors.js';

/** A halt requested by automation (docs/rest.md, Flags). */
export interface HaltRequest {
  readonly flagKey: string;
  readonly reason: string;
  readonly environment: Environment;
  readonly evidenceUrl: string | null;
}

const LONGEST_URL = 2_048;

/**
 * Parses the body of the halt webhook. Checks in order: `halt_flag_key_required`, `halt_reason_required`, `halt_bad_environment`.
 *
 * @param ofKey environment of the calling key, unless the body names another one.
 */
export function readHaltRequest(body: Record<string, unknown>, ofKey: Environment): HaltRequest {
  const { flag_key: flagKey, reason, environment } = body;
  if (typeof flagKey !== 'string' || flagKey === '') throw switchFailure('halt_flag_key_required');
  if (typeof reason !== 'string' || reason === '') throw switchFailure('halt_reason_required');
  if (environment != null && !isEnvironment(environment)) throw switchFailure('halt_bad_environment');
  return {
    flagKey,
    reason: storableText(reason),
    environment: environment ?? ofKey,
    evidenceUrl: evidenceUrl(body.evidence_url),
  };
}

/** A link that people may follow: http or https, at most 2,048 characters. Anything else is dropped (docs/rest.md, Flags). */
export function evidenceUrl(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > LONGEST_URL || !URL.canParse(given)) return null;
  const url = new URL(given);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}
