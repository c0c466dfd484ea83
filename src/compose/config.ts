import { ConfigResolver, ProjectConfigResolver } from '../modules/config/config.resolver.js';
import { ConfigItemService } from '../modules/config/config-item.service.js';
import { ConfigVersionService } from '../modules/config/config-version.service.js';
import { ValueChecks } from '../modules/config/value-checks.js';
import type { Composed, Parts } from './parts.js';

export function composeConfig({ events }: Parts) {
  const checks = new ValueChecks();
  const configItems = new ConfigItemService(events, checks);
  const services = { configItems, configVersions: new ConfigVersionService(configItems, events, checks) };
  return {
    services,
    resolvers: [
      new ConfigResolver(services.configItems, services.configVersions),
      new ProjectConfigResolver(services.configItems),
    ],
    close: () => checks.close(),
  } satisfies Composed<typeof services>;
}
