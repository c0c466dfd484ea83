import type { CatchCode } from '../../src/modules/catch/catch.errors.js';
import type { QuotaCode } from '../../src/modules/quotas/quotas.errors.js';
import { type ErrorTable, error, errorWith, errorWithMessage, faceErrors } from '../face/error-table.js';
import { count } from '../field-schemas.js';

/** docs/rest.md, Symbols; listing, deleting, crash events and profiles use the same errors. */
export const catchErrors: ErrorTable<CatchCode | QuotaCode> = {
  ...faceErrors,
  missing_file: error(400, 'missing_file'),
  incomplete_file: error(400, 'missing_file'),
  too_many_files: errorWithMessage(400, 'too_many_files'),
  invalid_kind: error(400, 'invalid_kind'),
  invalid_environment: error(400, 'invalid_environment'),
  file_too_large: error(400, 'file_too_large'),
  storage_unavailable: error(503, 'Service temporarily unavailable'),
  artifact_not_found: error(404, 'not_found'),
  issue_not_found: error(404, 'not_found'),
  bad_ignore: errorWithMessage(422, 'bad_ignore'),
  bad_merge: errorWithMessage(422, 'bad_merge'),
  issue_not_merged: errorWithMessage(409, 'issue_not_merged'),
  event_not_found: error(404, 'not_found'),
  profile_not_found: error(404, 'not_found'),
  alert_rule_not_found: error(404, 'not_found'),
  bad_alert_rule: errorWithMessage(422, 'bad_alert_rule'),
  symbol_source_not_found: error(404, 'not_found'),
  bad_symbol_source: errorWithMessage(422, 'bad_symbol_source'),
  too_many_symbol_sources: errorWithMessage(422, 'too_many_symbol_sources'),
  bad_sample_rate: errorWithMessage(422, 'bad_sample_rate'),
  invalid_events: errorWithMessage(400, 'invalid_body'),
  invalid_profile: errorWithMessage(400, 'invalid_body'),
  invalid_upload: errorWithMessage(400, 'invalid_upload'),
  upload_not_found: error(404, 'not_found'),
  too_many_uploads: errorWithMessage(409, 'too_many_uploads'),
  invalid_part: errorWithMessage(400, 'invalid_part'),
  parts_missing: errorWithMessage(409, 'parts_missing'),
  checksum_mismatch: errorWithMessage(422, 'checksum_mismatch'),
  invalid_link: error(403, 'invalid_link'),
  negative_limit: errorWithMessage(400, 'negative_limit'),
  quota_exceeded: errorWith(
    402,
    {
      current: count(5_000_000_000, 'Bytes already stored.'),
      limit: count(5_000_000_000, 'Bytes that may be stored.'),
    },
    [{ current: 5_000_000_000, limit: 5_000_000_000 }],
    ({ current, limit }) => ({ error: 'quota_exceeded', current: current as number, limit: limit as number }),
  ),
};
