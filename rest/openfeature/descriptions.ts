import { describe } from '../openapi/description.js';
import { ManifestAnswer, ManifestQuery } from './schemas.js';

export const getManifest = describe({
  id: 'getFlagManifest',
  tag: 'OpenFeature',
  summary: 'Get the manifest of the flags',
  details: 'What `openfeature pull` reads: the flags that are not archived, with the type and the default of each.',
  query: ManifestQuery,
  answers: {
    200: {
      description: 'The manifest.',
      schema: ManifestAnswer,
      headers: { 'x-manifest-capabilities': 'What the token may do here: `read`.' },
    },
  },
  failures: ['project_required', 'project_not_found', 'halt_bad_environment'],
});
