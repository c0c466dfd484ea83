import type { Static } from 'typebox';
import type { OfrepFailure, OfrepSuccess } from '../../src/modules/handshake/ofrep-flag.js';
import type { Answer } from '../face/send.js';
import { OFREP_REFUSALS } from './refusals.js';
import type { EvaluationSchema } from './schemas.js';

export function ofrepFailureAnswer({ key, errorCode, errorDetails }: OfrepFailure): Answer {
  const { status, body } = OFREP_REFUSALS[errorCode];
  return { status, body: body({ key }, errorDetails) };
}

export const ofrepSuccessAnswer = ({ key, reason, variant, value, metadata }: OfrepSuccess): Answer => {
  const body: Static<typeof EvaluationSchema> = { key, reason, variant, value, metadata };
  return { status: 200, body };
};
