import { describe } from '../openapi/description.js';
import { ManifestAnswer, ManifestQuery } from './schemas.js';

export const getManifest = describe({
  id: 'getFlagManifest',
  tag: 'OpenFeature',
  summary: 'Get the flag manifest',
  details: 'Used by `openfeature pull`: all flags that are not archived, with type and default.',
  query: ManifestQuery,
  answers: {
    200: {
      description: 'The manifest.',
      schema: ManifestAnswer,
      headers: { 'x-manifest-capabilities': "The token's permission here: `read`." },
    },
  },
  failures: ['project_required', 'project_not_found', 'halt_bad_environment'],
});
