import { Type } from 'typebox';
import { MANIFEST_TYPES } from '../../src/modules/switch/flags/flag-manifest.service.js';
import { environment, json, oneOf, text, uuid } from '../field-schemas.js';

const ManifestFlag = Type.Object(
  {
    key: text('new-checkout'),
    type: oneOf(MANIFEST_TYPES, 'The type of all its variant values; `object` for any other JSON.'),
    description: text('The checkout of 2026.'),
    defaultValue: json(false, 'The value of the default variant.'),
  },
  { $id: 'ManifestFlag' },
);

export const ManifestAnswer = Type.Object({ flags: Type.Array(ManifestFlag) }, { $id: 'FlagManifest' });

export const ManifestQuery = Type.Object({
  project_id: Type.Optional(uuid('The project, if the token covers several.')),
  environment: Type.Optional(environment('Defaults to `live`.')),
});
