import type { OfrepFailure, OfrepSuccess } from '../../src/modules/handshake/ofrep.js';
import type { Answer } from '../route.js';

/** A flag that cannot be evaluated, with `error` as on every other route; an unknown flag is 404, all else 400. */
export const ofrepFailureAnswer = ({ key, errorCode, errorDetails }: OfrepFailure): Answer => ({
  status: errorCode === 'FLAG_NOT_FOUND' ? 404 : 400,
  body: { ...(key === undefined ? {} : { key }), errorCode, errorDetails, error: errorCode },
});

/** The evaluation of one flag. */
export const ofrepSuccessAnswer = ({ key, reason, variant, value, metadata }: OfrepSuccess): Answer => ({
  status: 200,
  body: { key, reason, variant, value, metadata },
});
