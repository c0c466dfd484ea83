import type { BodyCode } from '../../src/kernel/bodies/body-failures.js';
import { defineFailures, type FailureCode } from '../../src/kernel/errors.js';
import type { StreamCode } from '../../src/kernel/streams/open-streams.js';

export const restFailure = defineFailures({
  rate_limited: () => 'Rate limit exceeded. Please wait a moment.',
  internal: () =>
    'Something went wrong on the server. Include the x-request-id header of this response when you report it.',
});

/** Codes that every REST route can return before its verb. */
export type RestCode = FailureCode<typeof restFailure> | BodyCode | StreamCode;
