import type { FlagManifestService } from '../../src/modules/switch/flags/flag-manifest.service.js';
import { bearerToken } from '../callers.js';
import { namedProject } from '../named-project.js';
import { type Route, route } from '../route.js';
import { switchErrors } from '../switch/errors.js';
import { manifestAnswer } from './bodies.js';
import { getManifest } from './descriptions.js';

/** For OpenFeature's command line, which generates typed clients from it (open-feature/cli, api/v0/sync.yaml). */
export const openFeatureRoutes = (manifests: FlagManifestService): Route[] => [
  route({
    method: 'GET',
    path: '/openfeature/v0/manifest',
    caller: bearerToken,
    least: 'viewer',
    body: null,
    runs: 'read',
    verb: (ctx, { headers, query }) =>
      manifests.manifest(ctx, namedProject(headers, query), query.get('environment') ?? 'live'),
    answer: manifestAnswer,
    errors: switchErrors,
    describes: getManifest,
  }),
];
