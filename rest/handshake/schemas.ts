import { type TObject, type TProperties, Type } from 'typebox';
import { VALUE_TYPE_NAMES } from '../../src/modules/config/value-types.js';
import { DECISION_MODULES, type DecisionModule } from '../../src/modules/handshake/decision-modules.js';
import {
  count,
  environment,
  flag,
  IfNoneMatch,
  instant,
  json,
  mapOf,
  nullable,
  oneOf,
  text,
  uuid,
} from '../field-schemas.js';

const slice = (id: string, fields: TProperties): TObject =>
  Type.Object(
    {
      enabled: flag(true, 'False if the module is disabled for the project; the rest is empty then.'),
      ...fields,
      etag: text('"8Jx0uJ0rQv2yqS5h1mKdTg3nWcE"', 'Entity tag of this part, including its quotation marks.'),
    },
    { $id: id },
  );

const FlagDecision = Type.Object(
  {
    value: json(true, 'The value of the variant.'),
    variant: text('on'),
    reason: oneOf(['halted', 'archived', 'prerequisite', 'rule', 'rollout', 'default']),
    version: count(7),
  },
  { $id: 'FlagDecision' },
);

const ConfigDecision = Type.Object(
  {
    value: json(25, 'Typed: a number for `int`, and so on.'),
    type: oneOf(VALUE_TYPE_NAMES),
    version: count(4),
    reason: oneOf(['default', 'rule']),
  },
  { $id: 'ConfigDecision' },
);

const Release = Type.Object(
  { id: text('019a9c6e-2f6b-7d1e-9a53-5c2f4c1b8a10'), version: text('4.2.1'), promoted_at: instant() },
  { $id: 'CurrentRelease' },
);

const flagExample = { 'new-checkout': { value: true, variant: 'on', reason: 'rollout', version: 7 } };
const configExample = { 'checkout.max_items': { value: 25, type: 'int', version: 4, reason: 'default' } };

/** The part of each module (docs/rest.md, Handshake). */
export const SLICES: Readonly<Record<DecisionModule, TObject>> = {
  switch: slice('SwitchDecisions', { flags: mapOf(FlagDecision, flagExample, 'By key.') }),
  config: slice('ConfigDecisions', { values: mapOf(ConfigDecision, configExample, 'By key.') }),
  deploy: slice('DeployDecision', { release: nullable(Release) }),
  catch: slice('CatchDecision', {
    sample_rate: Type.Number({ minimum: 0, maximum: 1, description: 'Share of crash events to send.', examples: [1] }),
  }),
  analytics: slice('AnalyticsDecision', {
    cohorts: Type.Array(text('beta'), { description: 'Cohorts the person is in.' }),
  }),
};

export const HandshakeAnswer = Type.Object(
  {
    project_id: uuid(),
    environment: environment(),
    modules: Type.Partial(Type.Object(SLICES), { description: 'One part for each requested module.' }),
  },
  { $id: 'Handshake' },
);

const caller = {
  distinct_id: Type.Optional(text('user-1', 'The person. Without it, rules about persons do not match.')),
  app_version: Type.Optional(text('4.2.1')),
  platform: Type.Optional(text('ios')),
  os_version: Type.Optional(text('19.1')),
  locale: Type.Optional(text('en-GB')),
};

export const DecisionQuery = Type.Object(caller);

export const HandshakeQuery = Type.Object({
  ...caller,
  installed: Type.Optional(
    text('switch,config', `Comma-separated modules to return, of ${DECISION_MODULES.join(', ')}; defaults to all.`),
  ),
});

const given = (example: string, description?: string) => Type.Optional(nullable(text(example, description)));

/** The handshake as a body: for anything that is too personal for a URL, and any other input for rules. */
export const HandshakeBody = Type.Object(
  {
    distinct_id: given('user-1', 'The person. Without it, rules about persons do not match.'),
    app_version: given('4.2.1'),
    platform: given('ios'),
    os_version: given('19.1'),
    locale: given('en-GB'),
    context: Type.Optional(
      nullable(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'Rules read it as `context.<key>`; it overrides stored properties of the same name.',
            examples: [{ country: 'DE', plan: 'pro' }],
          },
        ),
      ),
    ),
    installed: Type.Optional(
      nullable(
        Type.Union([
          text('switch,config', `Comma-separated modules, of ${DECISION_MODULES.join(', ')}; defaults to all.`),
          Type.Array(text('switch')),
        ]),
      ),
    ),
  },
  { $id: 'HandshakeRequest' },
);

/** For routes that a client requests after a notice. */
export const DecisionHeaders = Type.Object({
  ...IfNoneMatch.properties,
  'quarterdeck-refetch': Type.Optional(
    text(
      'Zm9yZXhhbXBs.t5k2g0.Zm9yZXhhbXBs.Zm9yZXhhbXBsZW9ubHk0NDQ0',
      'The `refetch` value of the notice that triggered this request, which then does not count against any rate limit.',
    ),
  ),
});
