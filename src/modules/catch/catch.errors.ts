import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { Problem } from '../../targeting/rules/rule-problems.js';

export const catchFailure = defineFailures(
  {
    incomplete_file: () => 'The form ended before the file was complete. Send it again.',
    too_many_files: () => 'A request carries one file, for one argument. Send each file in a request of its own.',
    missing_file: () => 'Send the symbol file in the form field "file". It must not be empty.',
    invalid_kind: () => 'Set kind to js_sourcemap, ios_dsym, android_mapping, android_ndk or flutter_symbols.',
    invalid_environment: () => 'environment must be live or test.',
    file_too_large: ({ limit }: { limit: number }) => `A symbol file can have at most ${limit} bytes.`,
    storage_unavailable: () => 'The object store is unavailable right now. Try again shortly.',
    artifact_not_found: () =>
      'No symbol artifact with this id is visible to you. List the symbol artifacts of the project.',
    issue_not_found: () => 'No crash issue with this id is visible to you. List the crash issues of the project.',
    bad_ignore: ({ problem }: { field: 'until' | 'events'; problem: string }) =>
      `The issue cannot be ignored like this: ${problem}.`,
    bad_merge: ({ problem }: { field: 'intoId' | 'ids'; problem: string }) =>
      `The issues cannot be merged: ${problem}.`,
    issue_not_merged: () => 'The issue is not merged into another one, so it cannot be unmerged.',
    event_not_found: () => 'No crash event with this id is visible to you. List the events of its issue.',
    profile_not_found: () => 'No profile with this id is visible to you. List the profiles of the project.',
    alert_rule_not_found: () => 'No alert rule with this id is visible to you. List the alert rules of the project.',
    bad_alert_rule: ({ problems }: { problems: Problem[] }) =>
      `The alert rule is invalid: ${problems.map(({ path, problem }) => `${path} ${problem}`).join('; ')}.`,
    symbol_source_not_found: () =>
      'No symbol source with this id is visible to you. List the symbol sources of the project.',
    bad_symbol_source: ({ advice }: { advice: string }) => `This address cannot be used for a symbol source. ${advice}`,
    too_many_symbol_sources: ({ limit }: { limit: number }) =>
      `A project can have at most ${limit} symbol sources. Delete one first.`,
    bad_sample_rate: ({ sampleRate }: { sampleRate: number }) =>
      `The sample rate must be a share from 0 to 1, for example 0.25, not ${sampleRate}.`,
    invalid_events: () => 'Send one event, or {"events": […]} with 1 to 1000 of them.',
    invalid_profile: () => 'A profile must be a JSON value.',
    invalid_upload: ({ problems }: { problems: string }) =>
      `Describe the file with kind, file_name, size_bytes and sha256 in hexadecimal. Invalid: ${problems}.`,
    upload_not_found: () => 'No open upload with this id is visible to you. Start it again.',
    too_many_uploads: ({ limit }: { limit: number }) =>
      `The project has reached the limit of ${limit} open uploads. Complete or delete some, or wait until they expire.`,
    invalid_part: ({ problem }: { field: 'offset' | 'sha256' | 'file'; problem: string }) =>
      `The part was rejected: ${problem}.`,
    parts_missing: ({ received, size }: { received: number; size: number }) =>
      `Only ${received} of ${size} bytes have arrived. Send the missing parts.`,
    checksum_mismatch: () => 'The bytes do not match their checksum. Send them again.',
    invalid_link: () => 'The link has expired or was altered. Get a new one.',
  },
  {
    incomplete_file: 'file',
    too_many_files: 'file',
    missing_file: 'file',
    file_too_large: 'file',
    checksum_mismatch: 'file',
    bad_symbol_source: 'url',
    bad_sample_rate: 'sampleRate',
    invalid_kind: 'kind',
    invalid_environment: 'environment',
  },
);

export type CatchCode = FailureCode<typeof catchFailure>;

/** Callers learn that the object store is unavailable; the log also says why. */
export function storageUnavailable(cause: unknown): Error {
  return Object.assign(catchFailure('storage_unavailable'), { cause });
}
