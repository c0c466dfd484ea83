import { Type } from 'typebox';
import { FLAG_KIND_NAMES } from '../../src/modules/switch/flags/flag-kinds.js';
import { count, environment, flag, instant, nullable, oneOf, text, uuid } from '../field-schemas.js';

const FlagSchema = Type.Object(
  {
    id: text('flg_7Zq2Lr9Xw3'),
    project_id: uuid(),
    environment: environment(),
    key: text('new-checkout'),
    kind: oneOf(FLAG_KIND_NAMES),
    description: text('The checkout of 2026.'),
    default_value: text('false', 'The value of the default variant as text; served while the flag is halted.'),
    default_variant: text('off'),
    is_archived: flag(false),
    current_version: count(7),
    halted_at: nullable(instant('When it was halted; null if it is not.')),
    halt_reason: nullable(text('Error rate above 5 %')),
    halt_condition: Type.Null({ description: 'Reserved for automated halt rules.' }),
    created_at: instant(),
    updated_at: instant(),
  },
  { $id: 'Flag' },
);

export const FlagAnswer = Type.Object({ flag: FlagSchema });

export const HaltBody = Type.Object(
  {
    flag_key: Type.String({ minLength: 1, examples: ['new-checkout'] }),
    reason: Type.String({
      minLength: 1,
      description: 'Shown in the dashboard, the audit log and webhook payloads.',
      examples: ['Error rate above 5 %'],
    }),
    environment: Type.Optional(environment("Defaults to the key's environment.")),
    evidence_url: Type.Optional(
      text('https://status.example.com/incidents/42', 'A URL (http or https) that explains the halt.'),
    ),
  },
  { $id: 'FlagHalt' },
);

export const ResumeBody = Type.Object({ note: Type.Optional(text('Fixed in 4.2.1')) });

export const FlagParams = Type.Object({ id: text('flg_7Zq2Lr9Xw3', 'The flag.') });
