import type { AuditLogQuery } from '#documents';

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

/** The kind of an object as a person says it: `config_item` is "config item". */
export const thingWords = (objectType: string): string => objectType.replaceAll('_', ' ');

/** Who did it: a member by their address; a key or a part of the server has none. */
export function actorWords(actorId: string, email: string): string {
  if (email) return email;
  if (actorId.startsWith('key:')) return `a key (${actorId.slice(-6)})`;
  return actorId === 'anonymous' ? 'somebody who was not signed in' : actorId;
}

/** A kind of event as a person says it: `switch.flag.halted` is "Flag halted". */
export function wordsOf(kind: string): string {
  const [module = '', thing = '', what = ''] = kind.split('.');
  const name = THINGS[`${module}.${thing}`] ?? thing.charAt(0).toUpperCase() + thing.slice(1);
  return `${name} ${what}`.replaceAll('_', ' ');
}

/** What the changed object is called, where the data of the entry say it. */
export function nameOf(data: unknown): string | undefined {
  const { key, name, title, version, url } = (data ?? {}) as Readonly<Record<string, unknown>>;
  return [key, name, title, version, url].find((one) => typeof one === 'string') as string | undefined;
}
