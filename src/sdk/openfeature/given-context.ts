import type { EvaluationContext as GivenContext } from '@openfeature/server-sdk';
import { plainJson } from '../core/plain-json.js';
import type { EvaluationContext } from '../node/evaluation-context.js';

const NAMED = new Set(['targetingKey', 'app_version', 'appVersion', 'platform']);

/**
 * Maps OpenFeature's context the way the server does for remote evaluation: the targeting key is the distinct id, some
 * attributes keep their meaning, and all but the targeting key, the version and the platform are what rules read as
 * `context.<key>` and `props.<key>`.
 *
 * @returns the context, or why it is invalid.
 */
export function readContext(given: GivenContext): EvaluationContext | string {
  const said = new Map(Object.entries(given).map(([name, value]) => [name, plainJson(value)] as const));
  const [targetingKey, platform, cohorts] = [said.get('targetingKey'), said.get('platform'), said.get('cohorts')];
  const app_version = said.get('app_version') ?? said.get('appVersion');
  for (const [name, value] of Object.entries({ targetingKey, platform, app_version }))
    if (value != null && typeof value !== 'string') return `"${name}" must be a string.`;
  return {
    distinctId: text(targetingKey),
    platform: text(platform),
    locale: text(said.get('locale')),
    appVersion: text(app_version),
    osVersion: text(said.get('os_version') ?? said.get('osVersion')),
    cohorts: Array.isArray(cohorts) ? cohorts.filter((name) => typeof name === 'string') : undefined,
    context: Object.fromEntries([...said].filter(([name]) => !NAMED.has(name))),
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
