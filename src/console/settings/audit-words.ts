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
