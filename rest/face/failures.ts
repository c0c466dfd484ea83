import type { BodyCode } from '../../src/kernel/bodies/body-failures.js';
import { defineFailures, type FailureCode } from '../../src/kernel/errors.js';
import type { StreamCode } from '../../src/kernel/streams/stream-failures.js';

export const restFailure = defineFailures({
  rate_limited: () => 'Rate limit exceeded. Please wait a moment.',
  internal: () => 'The server failed; quote the x-request-id header of this answer when you report it.',
});

/** Codes that every REST route can meet before its verb. */
export type RestCode = FailureCode<typeof restFailure> | BodyCode | StreamCode;
