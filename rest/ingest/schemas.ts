import { Type } from 'typebox';
import { count, environment, flag, instant, json, mapOf, nullable, oneOf, text, uuid } from '../field-schemas.js';

const distinctId = text('user-1', 'Who it is about; an id that cannot be one, as `null` or `undefined`, is discarded.');
const properties = (example: Record<string, unknown>, description?: string) =>
  Type.Optional(mapOf(json('any'), example, description));

export const TrackPayload = Type.Object(
  {
    event_name: Type.String({ minLength: 1, examples: ['checkout.completed'] }),
    distinct_id: distinctId,
    properties: properties({ total: 42.5 }),
    timestamp: Type.Optional(instant('When it happened; the time of receipt unless given.')),
    insert_id: Type.Optional(text('8f14e45f', 'Repeats of it within 24 hours are not stored again.')),
  },
  { $id: 'AnalyticsEvent' },
);

export const PeoplePayload = Type.Object(
  {
    distinct_id: distinctId,
    properties: properties({ plan: 'pro' }, 'Merged into what is known; null removes a property.'),
  },
  { $id: 'PersonProfile' },
);

export const AliasPayload = Type.Object(
  {
    alias_id: text('device-7', 'Becomes a further id of the person.'),
    distinct_id: text('user-1', 'The id that is kept.'),
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

const commands = Type.Array(Type.Unknown(), { description: 'Reserved; empty.', examples: [[]] });

export const BatchStored = Type.Object(
  {
    ok: flag(true),
    project_id: uuid(),
    project_name: text('Demo'),
    environment: environment(),
    operations_received: count(1, 'Accepted operations; discarded ones are not counted.'),
    events_received: count(1),
    people_received: count(0),
    aliases_received: count(0),
    commands,
  },
  { $id: 'StoredBatch' },
);

export const BatchReport = Type.Object(
  {
    ok: flag(true, 'Whether the batch would be taken.'),
    operations: Type.Array(
      Type.Object(
        {
          index: count(0, 'Place in `operations`, from 0.'),
          type: nullable(text('track', 'Null when it is no known type.')),
          result: oneOf(['accepted', 'discarded', 'refused'], 'One that is refused has the whole batch refused.'),
          reason: nullable(text('clamped_time', 'Why it is not accepted, or what would be changed about it.')),
          field: nullable(text('event_name', 'What makes the payload invalid; `payload` when it is no object.')),
        },
        { $id: 'OperationReport' },
      ),
    ),
  },
  { $id: 'BatchReport' },
);

export const SentAt = Type.Object({
  sent_at: Type.Optional(
    instant(
      "The client's clock at the time of sending. When it is a minute or more off, the times of events are set right by it.",
    ),
  ),
});

export const BatchQuery = Type.Object({
  ...SentAt.properties,
  validate: Type.Optional(oneOf(['1'], 'Stores nothing and reports each operation; the body has at most 1 MiB then.')),
});

export const DiscardedBatch = Type.Object({ ok: flag(true), status: oneOf(['discarded_all']) });
export const TrackAnswer = Type.Object({ ok: flag(true), commands });
export const StoredAnswer = Type.Object({ ok: flag(true) });
export const Discarded = Type.Object({ ok: flag(true), status: oneOf(['discarded']) });

export const IdempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    text(
      'b7c1f0a2',
      'A repeat within 24 hours stores nothing and is answered like the first time; with another body it is another request.',
    ),
  ),
});
