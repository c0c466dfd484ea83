import type { ConfigCode } from '../../src/modules/config/config.errors.js';
import { type ErrorTable, error, errorWithMessage, faceErrors } from '../face/error-table.js';

/** docs/rest.md, Remote config; the versions list uses the same errors. */
export const configErrors: ErrorTable<ConfigCode> = {
  ...faceErrors,
  unauthenticated: error(401, 'Invalid token'),
  invalid_token: error(401, 'Invalid token'),
  permission_denied: error(403, 'Permission denied'),
  item_not_found: error(404, 'Item not found'),
  version_not_found: error(404, 'Version not found for this item'),
  version_id_required: error(400, 'version_id is required'),
  version_conflict: errorWithMessage(409, 'version_conflict'),
  key_taken: errorWithMessage(409, 'key_taken'),
  bad_key: errorWithMessage(400, 'bad_key'),
  bad_value: errorWithMessage(422, 'bad_value'),
  value_too_large: errorWithMessage(422, 'value_too_large'),
  bad_rule: errorWithMessage(422, 'bad_rule'),
  bad_rules: errorWithMessage(422, 'bad_rules'),
  rule_and_rules: errorWithMessage(422, 'rule_and_rules'),
  bad_schema: errorWithMessage(422, 'bad_schema'),
  schema_violation: errorWithMessage(422, 'schema_violation'),
  schema_timeout: errorWithMessage(422, 'schema_timeout'),
  check_busy: errorWithMessage(503, 'check_busy'),
  item_archived: errorWithMessage(409, 'item_archived'),
};
