import type { App } from '../src/app.js';
import { objectLinkSecret } from '../src/storage/objects/object-link-settings.js';
import { catchRoutes } from './catch/routes.js';
import { configRoutes } from './config/routes.js';
import { definitionRoutes } from './definitions/routes.js';
import { handshakeRoutes } from './handshake/routes.js';
import { ingestRoutes } from './ingest/routes.js';
import { ofrepRoutes } from './ofrep/routes.js';
import { openApiRoutes } from './openapi/routes.js';
import { openFeatureRoutes } from './openfeature/routes.js';
import { pulseRoutes } from './pulse/routes.js';
import type { Route } from './route.js';
import { streamRoutes } from './stream/routes.js';
import { switchRoutes } from './switch/routes.js';

export function restRoutes(app: App): Route[] {
  const { services, options } = app;
  const routes = [
    ...configRoutes(services.configVersions),
    ...ingestRoutes(services.ingestion),
    ...switchRoutes(services.haltWebhook, services.flagHalts),
    ...handshakeRoutes(services.handshake, services.decisionMeter, services.streamTickets),
    ...definitionRoutes(services.handshake, services.decisionMeter),
    ...catchRoutes({
      uploads: services.symbolUploads,
      resumableUploads: services.resumableUploads,
      artifacts: services.symbolArtifacts,
      crashes: services.crashIngestion,
      objects: app.parts.objects,
      linkSecrets: [options.jwtSecret, ...options.env.jwtPreviousSecrets].map(objectLinkSecret),
    }),
    ...ofrepRoutes(services.handshake, services.decisionMeter, services.streamTickets),
    ...openFeatureRoutes(services.flagManifests),
    ...streamRoutes(services.clientStreams, services.streamTickets, services.decisionMeter),
    ...pulseRoutes(services),
  ];
  return [...routes, ...openApiRoutes(routes)];
}
