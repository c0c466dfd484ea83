import { Type } from 'typebox';
import {
  count,
  environment,
  flag,
  instant,
  json,
  mapOf,
  nullable,
  oneOf,
  SentAt,
  text,
  uuid,
} from '../field-schemas.js';

const distinctId = text('user-1', 'The person. Unusable ids such as `null` or `undefined` are discarded.');
const properties = (example: Record<string, unknown>, description?: string) =>
  Type.Optional(mapOf(json('any'), example, description));

export const TrackPayload = Type.Object(
  {
    event_name: Type.String({ minLength: 1, examples: ['checkout.completed'] }),
    distinct_id: distinctId,
    properties: properties({ total: 42.5 }),
    timestamp: Type.Optional(instant('When it happened; defaults to the time of receipt.')),
    insert_id: Type.Optional(text('8f14e45f', 'Events with the same id within 24 hours are not stored again.')),
  },
  { $id: 'AnalyticsEvent' },
);

export const PeoplePayload = Type.Object(
  {
    distinct_id: distinctId,
    properties: properties({ plan: 'pro' }, 'Merged into the existing properties; null removes a property.'),
  },
  { $id: 'PersonProfile' },
);

export const AliasPayload = Type.Object(
  {
    alias_id: text('device-7', 'Becomes an additional id of the person.'),
    distinct_id: text('user-1', 'The id to keep.'),
  },
  { $id: 'PersonAlias' },
);

export const BatchBody = Type.Object(
  {
    operations: Type.Array(
      Type.Union(
        [
          Type.Object({ type: Type.Literal('track'), payload: TrackPayload }, { $id: 'TrackOperation' }),
          Type.Object({ type: Type.Literal('people'), payload: PeoplePayload }, { $id: 'PeopleOperation' }),
          Type.Object({ type: Type.Literal('alias'), payload: AliasPayload }, { $id: 'AliasOperation' }),
        ],
        {
          $id: 'BatchOperation',
          discriminator: {
            propertyName: 'type',
            mapping: {
              track: '#/components/schemas/TrackOperation',
              people: '#/components/schemas/PeopleOperation',
              alias: '#/components/schemas/AliasOperation',
            },
          },
        },
      ),
      { minItems: 1, description: 'Stored in the order aliases, people, track.' },
    ),
  },
  { $id: 'Batch' },
);

const commands = Type.Array(Type.Unknown(), { description: 'Reserved; always empty.', examples: [[]] });

export const BatchStored = Type.Object(
  {
    ok: flag(true),
    project_id: uuid(),
    project_name: text('Demo'),
    environment: environment(),
    operations_received: count(1, 'Number of accepted operations; discarded ones do not count.'),
    events_received: count(1),
    people_received: count(0),
    aliases_received: count(0),
    commands,
  },
  { $id: 'StoredBatch' },
);

export const BatchReport = Type.Object(
  {
    ok: flag(true, 'Whether the batch would be accepted.'),
    operations: Type.Array(
      Type.Object(
        {
          index: count(0, 'Index in `operations`, from 0.'),
          type: nullable(text('track', 'Null if the type is unknown.')),
          result: oneOf(['accepted', 'discarded', 'refused'], 'A single rejected operation rejects the whole batch.'),
          reason: nullable(text('clamped_time', 'Why it is rejected, or what would be changed in it.')),
          field: nullable(text('event_name', 'What makes the payload invalid; `payload` if it is not an object.')),
        },
        { $id: 'OperationReport' },
      ),
    ),
  },
  { $id: 'BatchReport' },
);

export const BatchQuery = Type.Object({
  ...SentAt.properties,
  validate: Type.Optional(
    oneOf(['1'], 'Stores nothing and reports on each operation; the body is then limited to 1 MiB.'),
  ),
});

export const DiscardedBatch = Type.Object({ ok: flag(true), status: oneOf(['discarded_all']) });
export const TrackAnswer = Type.Object({ ok: flag(true), commands });
export const StoredAnswer = Type.Object({ ok: flag(true) });
export const Discarded = Type.Object({ ok: flag(true), status: oneOf(['discarded']) });

export const IdempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    text(
      'b7c1f0a2',
      'Repeating a request within 24 hours stores nothing and returns the first response. With a different body it is a new request.',
    ),
  ),
});
