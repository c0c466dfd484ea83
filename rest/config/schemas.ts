import { Type } from 'typebox';
import { CONFIG_ACTIONS } from '../../src/modules/config/config-version.entity.js';
import { VALUE_TYPE_NAMES } from '../../src/modules/config/value-types.js';
import { count, environment, flag, instant, nullable, oneOf, text, uuid } from '../field-schemas.js';

export const ConfigItemSchema = Type.Object(
  {
    id: uuid(),
    project_id: uuid(),
    environment: environment(),
    key: text('checkout.max_items'),
    type: oneOf(VALUE_TYPE_NAMES),
    default_value: text('25', 'The value as text; JSON text for every type except `string`.'),
    description: text('Maximum number of items in a cart.'),
    is_archived: flag(false),
    current_version: count(4, 'The `version_number` of the newest version.'),
    created_at: instant(),
    updated_at: instant(),
  },
  { $id: 'ConfigItem' },
);

export const ConfigVersionSchema = Type.Object(
  {
    id: uuid(),
    item_id: uuid(),
    version_number: count(4),
    action: oneOf(CONFIG_ACTIONS),
    value_snapshot: text('25', 'The value as JSON text, whatever its type.'),
    rule_snapshot: nullable(text('{"cohort":"beta","value":"50"}', 'The rule as JSON text.')),
    actor_id: text('019a9c6e-2f6b-7d1e-9a53-5c2f4c1b8a10', 'A user, or `system:<name>`.'),
    actor_email: text('grace@example.com', 'Empty for a system actor.'),
    note: nullable(text('Back to what worked')),
    created_at: instant(),
  },
  { $id: 'ConfigVersion', description: 'An immutable snapshot of an item and its rule.' },
);

export const ConfigRuleSchema = Type.Object(
  {
    id: uuid(),
    item_id: uuid(),
    cohort: text('beta'),
    value: text('50', 'The value for persons in the cohort, as text.'),
    created_at: instant(),
    updated_at: instant(),
  },
  { $id: 'ConfigRule' },
);

export const VersionsAnswer = Type.Object({
  versions: Type.Array(ConfigVersionSchema, { maxItems: 100, description: 'Newest first, up to 100.' }),
});

export const RollbackAnswer = Type.Object({
  item: ConfigItemSchema,
  version: ConfigVersionSchema,
  rule: nullable(ConfigRuleSchema),
});

export const RollbackBody = Type.Object(
  {
    version_id: uuid('The version to restore.'),
    note: Type.Optional(nullable(text('Back to what worked'))),
  },
  { $id: 'Rollback' },
);

export const ItemParams = Type.Object({ id: uuid('The config item.') });
