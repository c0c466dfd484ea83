import { Type } from 'typebox';
import type { OfrepErrorCode } from '../../src/modules/handshake/ofrep-flag.js';
import { OPEN_FEATURE_REASONS } from '../../src/targeting/flags/open-feature-reason.js';
import { MESSAGE } from '../error-table.js';
import { count, json, oneOf, text } from '../openapi/field-schemas.js';

/** A flag that was evaluated, as the protocol wants it. */
export const EvaluationSchema = Type.Object(
  {
    key: text('new-checkout'),
    reason: oneOf(OPEN_FEATURE_REASONS),
    variant: text('on'),
    value: json(true),
    metadata: Type.Object({ version: count(7, 'Version of the flag.') }),
  },
  { $id: 'FlagEvaluation' },
);

const FlagFailure = Type.Object(
  {
    key: text('new-checkout'),
    errorCode: oneOf<OfrepErrorCode>(['TARGETING_KEY_MISSING']),
    errorDetails: MESSAGE,
  },
  { $id: 'FlagEvaluationFailure' },
);

export const EvaluationsAnswer = Type.Object({ flags: Type.Array(Type.Union([EvaluationSchema, FlagFailure])) });

export const EvaluationBody = Type.Object(
  {
    context: Type.Optional(
      Type.Object(
        {
          targetingKey: Type.Optional(text('user-1', 'Who asks: the `distinct_id`.')),
          app_version: Type.Optional(text('4.2.1')),
          platform: Type.Optional(text('ios')),
        },
        { additionalProperties: true, description: 'Further attributes count as properties of the person.' },
      ),
    ),
  },
  { $id: 'EvaluationRequest' },
);

export const FlagKeyParams = Type.Object({ key: text('new-checkout', 'The flag.') });
