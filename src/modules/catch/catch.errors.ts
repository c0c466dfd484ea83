import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { Problem } from '../../targeting/rules/rule-problems.js';

export const catchFailure = defineFailures(
  {
    incomplete_file: () => 'The form ended in the middle of the file; send it again.',
    missing_file: () => 'Send the symbol file in the form field "file"; an empty one is none.',
    invalid_kind: () =>
      'Say which kind it is: js_sourcemap, ios_dsym, android_mapping, android_ndk or flutter_symbols.',
    invalid_environment: () => 'The environment is live or test.',
    file_too_large: ({ limit }: { limit: number }) => `A symbol file may have ${limit} bytes at most.`,
    storage_unavailable: () => 'The object store cannot be used at the moment; try again shortly.',
    artifact_not_found: () =>
      'No symbol artifact with this id is visible to you; list the symbol artifacts of the project.',
    issue_not_found: () => 'No crash issue with this id is visible to you; list the crash issues of the project.',
    bad_ignore: ({ problem }: { field: 'until' | 'events'; problem: string }) =>
      `The issue cannot be ignored so: ${problem}.`,
    bad_merge: ({ problem }: { field: 'intoId' | 'ids'; problem: string }) =>
      `The issues cannot be merged: ${problem}.`,
    issue_not_merged: () => 'The issue is not a part of another: only what was merged can be parted.',
    event_not_found: () => 'No crash event with this id is visible to you; list the events of its issue.',
    profile_not_found: () => 'No profile with this id is visible to you; list the profiles of the project.',
    alert_rule_not_found: () => 'No alert rule with this id is visible to you; list the alert rules of the project.',
    bad_alert_rule: ({ problems }: { problems: Problem[] }) =>
      `The alert rule cannot be used: ${problems.map(({ path, problem }) => `${path} ${problem}`).join('; ')}.`,
    symbol_source_not_found: () =>
      'No symbol source with this id is visible to you; list the symbol sources of the project.',
    bad_symbol_source: ({ advice }: { advice: string }) => `The address cannot be that of a symbol source. ${advice}`,
    too_many_symbol_sources: ({ limit }: { limit: number }) =>
      `A project has ${limit} symbol sources at most; delete one first.`,
    bad_sample_rate: ({ sampleRate }: { sampleRate: number }) =>
      `The sample rate is a share from 0 to 1, for example 0.25; ${sampleRate} is none.`,
    invalid_events: () => 'Send one event, or {"events": […]} with 1 to 1000 of them.',
    invalid_profile: () => 'A profile is a JSON value.',
    invalid_upload: ({ problems }: { problems: string }) =>
      `Say what the file will be: kind, file_name, size_bytes and sha256 in hexadecimal. Wrong are: ${problems}.`,
    upload_not_found: () => 'No open upload with this id is visible to you; begin it again.',
    too_many_uploads: ({ limit }: { limit: number }) =>
      `The project has ${limit} open uploads, the most there may be; end or delete some, or wait until they expire.`,
    invalid_part: ({ problem }: { field: 'offset' | 'sha256' | 'file'; problem: string }) =>
      `The part cannot be taken: ${problem}.`,
    parts_missing: ({ received, size }: { received: number; size: number }) =>
      `Only ${received} of ${size} bytes are there; send the parts that are missing.`,
    checksum_mismatch: () => 'The bytes are not those that were announced; send them again.',
    invalid_link: () => 'The link has expired or was changed; ask for a new one.',
  },
  {
    incomplete_file: 'file',
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

/** Callers learn that the object store is away, the log also why. */
export function storageUnavailable(cause: unknown): Error {
  return Object.assign(catchFailure('storage_unavailable'), { cause });
}
