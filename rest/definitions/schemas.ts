import { Type } from 'typebox';
import { VALUE_TYPE_NAMES } from '../../src/modules/config/value-types.js';
import { OPERATOR_NAMES } from '../../src/targeting/condition.js';
import { count, environment, flag, json, nullable, oneOf, text, uuid } from '../field-schemas.js';

const Condition = Type.Object(
  {
    attribute: text('props.plan'),
    operator: Type.Optional(nullable(oneOf(OPERATOR_NAMES))),
    values: Type.Array(json('pro')),
    negate: Type.Optional(nullable(flag(false))),
  },
  { $id: 'Condition' },
);

const buckets = Type.Optional(
  Type.Array(Type.Array(count(50_000), { minItems: 2, maxItems: 2 }), {
    description: 'Buckets from the first number up to, but not including, the second, out of 100,000.',
    examples: [[[0, 50_000]]],
  }),
);
const weight = Type.Number({ minimum: 0, examples: [50] });

const rule = {
  conditions: Type.Array(Condition, { description: 'All of them must match.' }),
  percentage: Type.Number({ minimum: 0, maximum: 100, examples: [100] }),
  salt: nullable(text('checkout-2026', 'Defaults to the key of the flag or item when null.')),
  bucket_by: nullable(text('props.company', 'Defaults to `distinct_id` when null.')),
};

const DefinedFlag = Type.Object(
  {
    key: text('new-checkout'),
    version: count(7),
    variants: Type.Array(Type.Object({ key: text('on'), value: json(true) })),
    default_variant: text('off'),
    rules: Type.Array(
      Type.Object({
        ...rule,
        variant: text('on', 'With a split, the variant with the largest share.'),
        split: nullable(Type.Array(Type.Object({ variant: text('on'), weight, buckets }))),
      }),
    ),
    prerequisites: Type.Array(Type.Object({ key: text('new-cart'), variants: Type.Array(text('on')) })),
    halted: flag(false),
    archived: flag(false),
  },
  { $id: 'FlagDefinition' },
);

const DefinedItem = Type.Object(
  {
    key: text('checkout.max_items'),
    type: oneOf(VALUE_TYPE_NAMES),
    version: count(4),
    value: text('25', 'As text, whatever the type.'),
    rules: Type.Array(
      Type.Object({
        ...rule,
        value: text('50', 'With a split, the value with the largest share.'),
        split: nullable(Type.Array(Type.Object({ value: text('50'), weight, buckets }))),
      }),
    ),
  },
  { $id: 'ConfigDefinition' },
);

const Predicate = Type.Object(
  {
    key: Type.Optional(text('plan', 'A stored property.')),
    value: Type.Optional(text('pro', 'The value it must equal, as text.')),
    all: Type.Optional(Type.Array(Type.Unknown(), { description: 'Predicates that must all match.' })),
    any: Type.Optional(Type.Array(Type.Unknown(), { description: 'Predicates of which at least one must match.' })),
  },
  { $id: 'PropertyPredicate', description: '`{key, value}`, `{all}` or `{any}`.' },
);

const DefinedCohort = Type.Object(
  {
    name: text('beta'),
    id: text('019a9c6e-0001-7000-8000-000000000000', 'The salt for percentages that have none of their own.'),
    predicate: nullable(Predicate),
    rules: Type.Array(Type.Object(rule), { description: 'At least one of them must match.' }),
    listed: count(2),
    id_hashes: nullable(
      Type.Array(text('9f86d081884c7d65'), {
        description:
          'For each listed id, the first 16 digits of the SHA-256 of `<cohort id>:<listed id>`; null if there are too many.',
      }),
    ),
  },
  { $id: 'CohortDefinition' },
);

export const DefinitionsAnswer = Type.Object(
  {
    project_id: uuid(),
    environment: environment(),
    flags: Type.Array(DefinedFlag, { description: 'By key; empty while the module switch is disabled.' }),
    config: Type.Array(DefinedItem, { description: 'By key; empty while the module config is disabled.' }),
    cohorts: Type.Array(DefinedCohort, { description: 'By name; only those used in rules.' }),
  },
  { $id: 'Definitions' },
);
