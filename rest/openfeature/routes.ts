import type { Static } from 'typebox';
import type { FlagManifestService, ManifestFlag } from '../../src/modules/switch/flags/flag-manifest.service.js';
import { bearerToken } from '../callers.js';
import type { Answer } from '../face/send.js';
import { namedProject } from '../named-project.js';
import { type Route, route } from '../route.js';
import { switchErrors } from '../switch/errors.js';
import { getManifest } from './descriptions.js';
import type { ManifestAnswer } from './schemas.js';

/** For OpenFeature's command line, which generates typed clients from it (open-feature/cli, api/v0/sync.yaml). */
export const openFeatureRoutes = (manifests: FlagManifestService): Route[] => [
  route({
    method: 'GET',
    path: '/openfeature/v0/manifest',
    caller: bearerToken,
    least: 'viewer',
    runs: 'read',
    verb: (ctx, { headers, query }) =>
      manifests.manifest(ctx, namedProject(headers, query), query.get('environment') ?? 'live'),
    answer: manifestAnswer,
    errors: switchErrors,
    describes: getManifest,
  }),
];

/** The manifest; the header says that flags are changed elsewhere. */
const manifestAnswer = (flags: readonly ManifestFlag[]): Answer => {
  const body: Static<typeof ManifestAnswer> = {
    flags: flags.map(({ key, type, description, defaultValue }) => ({ key, type, description, defaultValue })),
  };
  return { status: 200, body, headers: { 'x-manifest-capabilities': 'read' } };
};
