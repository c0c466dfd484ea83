import { ConfigResolver } from '../modules/config/config.resolver.js';
import { ConfigItemService } from '../modules/config/config-item.service.js';
import { ConfigVersionService } from '../modules/config/config-version.service.js';
import type { Composed, Parts } from './parts.js';

export function composeConfig({ events }: Parts) {
  const configItems = new ConfigItemService(events);
  const services = { configItems, configVersions: new ConfigVersionService(configItems, events) };
  return {
    services,
    resolvers: [new ConfigResolver(services.configItems, services.configVersions)],
  } satisfies Composed<typeof services>;
}
