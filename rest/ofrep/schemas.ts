import { Type } from 'typebox';
import type { OfrepErrorCode } from '../../src/modules/handshake/ofrep-flag.js';
import { OPEN_FEATURE_REASONS } from '../../src/targeting/flags/open-feature-reason.js';
import { MESSAGE } from '../face/error-table.js';
import { count, json, oneOf, text } from '../field-schemas.js';

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

const EventStreamSchema = Type.Object(
  {
    type: oneOf(['sse']),
    endpoint: Type.Object({
      requestUri: text(
        '/ofrep/v1/stream?ticket=…&last_event_id=…',
        'Path and query, relative to the origin of the request.',
      ),
    }),
    inactivityDelaySec: count(120, 'Seconds of inactivity after which a client closes the stream.'),
  },
  { $id: 'FlagEventStream' },
);

export const EvaluationsAnswer = Type.Object({
  flags: Type.Array(Type.Union([EvaluationSchema, FlagFailure])),
  eventStreams: Type.Array(EventStreamSchema, { description: 'Where to listen for flag changes.' }),
});

/** What OpenFeature's providers send with a request that follows a notice. */
export const EvaluationQuery = Type.Object({
  flagConfigEtag: Type.Optional(
    text('"Zm9yZXhhbXBs.t5k2g0.Zm9yZXhhbXBs.Zm9yZXhhbXBsZW9ubHk0NDQ0"', 'The `etag` of the notice.'),
  ),
  flagConfigLastModified: Type.Optional(text('1771622898', 'The `lastModified` of the notice; it is ignored.')),
});

export const EvaluationBody = Type.Object(
  {
    context: Type.Optional(
      Type.Object(
        {
          targetingKey: Type.Optional(text('user-1', 'The `distinct_id` of the person.')),
          app_version: Type.Optional(text('4.2.1')),
          platform: Type.Optional(text('ios')),
        },
        { additionalProperties: true, description: 'Additional attributes count as properties of the person.' },
      ),
    ),
  },
  { $id: 'EvaluationRequest' },
);

export const FlagKeyParams = Type.Object({ key: text('new-checkout', 'The flag.') });
