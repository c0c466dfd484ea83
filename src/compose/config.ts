import {
  ConfigResolver,
  ConfigRollbackFields,
  ConfigRuleFields,
  ConfigVersionFields,
  ProjectConfigResolver,
} from '../modules/config/config.resolver.js';
import { ConfigChangesResolver } from '../modules/config/config-changes.resolver.js';
import { ConfigItemService } from '../modules/config/config-item.service.js';
import { ConfigVersionService } from '../modules/config/config-version.service.js';
import { ConfigUsageFields } from '../modules/config/item-usage.resolver.js';
import { ConfigExplainingService } from '../modules/config/rules/config-explaining.service.js';
import { ValueChecks } from '../modules/config/value-checks.js';
import { storedPerson } from '../modules/ingest/cohorts/stored-person.js';
import type { Composed, Parts } from './parts.js';

export function composeConfig({ events, pool }: Parts) {
  const checks = new ValueChecks();
  const configItems = new ConfigItemService(events, checks);
  const services = { configItems, configVersions: new ConfigVersionService(configItems, events, checks) };
  const explanations = new ConfigExplainingService(configItems, (...person) => storedPerson(pool, ...person));
  return {
    services,
    resolvers: [
      new ConfigResolver(services.configItems, services.configVersions, explanations),
      new ConfigRuleFields(),
      new ConfigRollbackFields(),
      new ConfigUsageFields(),
      new ConfigVersionFields(),
      new ProjectConfigResolver(services.configItems),
      new ConfigChangesResolver(services.configItems),
    ],
    close: () => checks.close(),
  } satisfies Composed<typeof services>;
}
