import type { AuditLogQuery } from '#documents';
import { capitalized } from '../parts/text.js';

const THINGS: Readonly<Record<string, string>> = {
  'config.item': 'Config item',
  'access.key': 'Project key',
  'access.api_token': 'API token',
  'catch.issue': 'Crash issue',
  'catch.symbol': 'Symbol file',
  'catch.settings': 'Crash settings',
  'catch.events': 'Crash events',
  'changelog.entry': 'Changelog entry',
  'webhooks.subscription': 'Webhook',
  'webhooks.secret': 'Webhook secret',
};

export type Entry = NonNullable<AuditLogQuery['auditLog']>['nodes'][number];

/** An object type in words: `config_item` is "config item". */
export const thingWords = (objectType: string): string => objectType.replaceAll('_', ' ');

/** An event kind in words: `switch.flag.halted` is "Flag halted". */
export function wordsOf(kind: string): string {
  const [module = '', thing = '', what = ''] = kind.split('.');
  const name = THINGS[`${module}.${thing}`] ?? capitalized(thing);
  return `${name} ${what}`.replaceAll('_', ' ');
}

/** The changed object's name, if the entry's data contains it. */
export function nameOf(data: unknown): string | undefined {
  const { key, name, title, version, url } = (data ?? {}) as Readonly<Record<string, unknown>>;
  return [key, name, title, version, url].find((one) => typeof one === 'string') as string | undefined;
}
