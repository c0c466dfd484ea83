import { defineFailures, type FailureCode } from '../errors.js';

/** Failures of reading a request body, whatever its content. */
export const bodyFailure = defineFailures({
  payload_too_large: () => 'The request body is larger than this server accepts.',
  invalid_body: () => 'The request body is not the JSON that this route expects.',
  bodies_exhausted: () => 'The server holds as many request bodies as it can at the moment; try again shortly.',
  body_cut_off: () => 'The connection ended in the middle of the request body.',
});

export type BodyCode = FailureCode<typeof bodyFailure>;
