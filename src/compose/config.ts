import { ConfigResolver, ConfigVersionFields, ProjectConfigResolver } from '../modules/config/config.resolver.js';
import { ConfigItemService } from '../modules/config/config-item.service.js';
import { ConfigVersionService } from '../modules/config/config-version.service.js';
import { ConfigExplainingService } from '../modules/config/rules/config-explaining.service.js';
import { ValueChecks } from '../modules/config/value-checks.js';
import type { CohortMemberships } from '../modules/ingest/cohorts/cohort-memberships.js';
import type { Composed, Parts } from './parts.js';

/** Remote config; `memberships` say what is stored about a person. */
export function composeConfig({ events }: Parts, memberships: CohortMemberships) {
  const checks = new ValueChecks();
  const configItems = new ConfigItemService(events, checks);
  const services = { configItems, configVersions: new ConfigVersionService(configItems, events, checks) };
  const explanations = new ConfigExplainingService(configItems, (...person) => memberships.factsOf(...person));
  return {
    services,
    resolvers: [
      new ConfigResolver(services.configItems, services.configVersions, explanations),
      new ConfigVersionFields(),
      new ProjectConfigResolver(services.configItems),
    ],
    close: () => checks.close(),
  } satisfies Composed<typeof services>;
}
