import { ChangelogResolver } from '../modules/changelog/changelog.resolver.js';
import { ChangelogService } from '../modules/changelog/changelog.service.js';
import { DeployResolver } from '../modules/deploy/deploy.resolver.js';
import { ReleaseService } from '../modules/deploy/release.service.js';
import type { Composed, Parts } from './parts.js';

export function composeDeploy({ events }: Parts) {
  const services = { releases: new ReleaseService(events), changelog: new ChangelogService(events) };
  return {
    services,
    resolvers: [new DeployResolver(services.releases), new ChangelogResolver(services.changelog)],
  } satisfies Composed<typeof services>;
}
