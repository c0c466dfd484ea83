import { Type } from 'typebox';
import type { OfrepErrorCode } from '../../src/modules/handshake/ofrep-flag.js';
import { type ErrorRow, errorWith, MESSAGE } from '../face/error-table.js';
import { oneOf, text } from '../field-schemas.js';

const refusal = (status: number, code: OfrepErrorCode): ErrorRow =>
  errorWith(
    status,
    { key: Type.Optional(text('new-checkout')), errorCode: oneOf([code]), errorDetails: MESSAGE },
    [{}],
    ({ key }, message) => ({
      ...(key === undefined ? {} : { key: key as string }),
      errorCode: code,
      errorDetails: message,
      error: code,
    }),
  );

/** A flag that can't be evaluated, with `error` as on every other route; an unknown flag is 404, everything else 400. */
export const OFREP_REFUSALS: Readonly<Record<OfrepErrorCode, ErrorRow>> = {
  PARSE_ERROR: refusal(400, 'PARSE_ERROR'),
  INVALID_CONTEXT: refusal(400, 'INVALID_CONTEXT'),
  TARGETING_KEY_MISSING: refusal(400, 'TARGETING_KEY_MISSING'),
  FLAG_NOT_FOUND: refusal(404, 'FLAG_NOT_FOUND'),
  GENERAL: refusal(400, 'GENERAL'),
};
