import { describe } from '../openapi/description.js';
import { ItemParams, RollbackAnswer, VersionsAnswer } from './schemas.js';

export const listVersions = describe({
  id: 'listConfigVersions',
  tag: 'Config',
  summary: "List a config item's versions",
  params: ItemParams,
  answers: { 200: { description: 'The newest versions.', schema: VersionsAnswer } },
  failures: ['item_not_found'],
});

export const rollBack = describe({
  id: 'rollbackConfigItem',
  tag: 'Config',
  summary: 'Roll a config item back to an earlier version',
  details: 'Appends a new version that equals the earlier one. The history is never changed.',
  params: ItemParams,
  answers: { 200: { description: 'The item after the rollback, and the new version.', schema: RollbackAnswer } },
  failures: [
    'version_id_required',
    'permission_denied',
    'item_not_found',
    'version_not_found',
    'value_too_large',
    'bad_schema',
    'schema_violation',
    'schema_timeout',
    'check_busy',
  ],
});
