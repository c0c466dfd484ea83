import { defineFailures, type FailureCode } from '../src/kernel/errors.js';

/** Failures of the REST face itself. */
export const restFailure = defineFailures({
  payload_too_large: () => 'The request body is larger than this server accepts.',
  invalid_body: () => 'The request body is not the JSON that this route expects.',
  rate_limited: () => 'Rate limit exceeded. Please wait a moment.',
  internal: () => 'The server failed; quote the x-request-id header of this answer when you report it.',
});

export type RestCode = FailureCode<typeof restFailure>;
