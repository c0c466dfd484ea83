import type { SwitchCode, SwitchGate } from '../../src/modules/switch/switch.errors.js';
import { type ErrorTable, error, errorWith, errorWithMessage, faceErrors } from '../face/error-table.js';

const GATES: readonly SwitchGate[] = ['module_disabled', 'billing_suspended', 'quota_exceeded'];

const switchDisabled = errorWith(
  403,
  {},
  GATES.map((reason) => ({ reason })),
  ({ reason }) => ({ error: `Switch disabled: ${reason}` }),
);

/** docs/rest.md, Flags; resuming uses the same errors. */
export const switchErrors: ErrorTable<SwitchCode> = {
  ...faceErrors,
  missing_api_key: error(401, 'missing x-api-key'),
  invalid_api_key: error(401, 'invalid api key'),
  invalid_body: error(400, 'invalid body'),
  halt_flag_key_required: error(400, 'flag_key is required'),
  halt_reason_required: error(400, 'reason is required'),
  halt_bad_environment: error(400, 'environment must be live or test'),
  switch_disabled: switchDisabled,
  flag_not_found: error(404, 'flag not found'),
  unauthenticated: error(401, 'Invalid token'),
  invalid_token: error(401, 'Invalid token'),
  permission_denied: error(403, 'Permission denied'),
  flag_key_taken: errorWithMessage(409, 'flag_key_taken'),
  flag_archived: errorWithMessage(409, 'flag_archived'),
  flag_needed: errorWithMessage(409, 'flag_needed'),
  flag_version_conflict: errorWithMessage(409, 'version_conflict'),
  bad_flag_key: errorWithMessage(400, 'bad_flag_key'),
  invalid_flag: errorWithMessage(422, 'invalid_flag'),
};
