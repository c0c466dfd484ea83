import type { EvaluationContext as GivenContext } from '@openfeature/server-sdk';
import { plainJson } from '../core/plain-json.js';
import type { EvaluationContext } from '../node/evaluation-context.js';

const NAMED = new Set(['targetingKey', 'app_version', 'appVersion', 'platform', 'cohorts']);

/**
 * Maps OpenFeature's context the way the server does for remote evaluation: the targeting key is the distinct id, some
 * attributes keep their meaning, and all but the targeting key are what rules read as `context.<key>` and
 * `props.<key>`.
 */
export function contextOf(given: GivenContext): EvaluationContext {
  const { targetingKey, platform, locale, cohorts } = given;
  return {
    distinctId: text(targetingKey),
    platform: text(platform),
    locale: text(locale),
    appVersion: text(given.app_version ?? given.appVersion),
    osVersion: text(given.os_version ?? given.osVersion),
    cohorts: Array.isArray(cohorts) ? cohorts.filter((name) => typeof name === 'string') : undefined,
    context: Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (NAMED.has(name) ? [] : [[name, plainJson(value)]])),
    ),
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
