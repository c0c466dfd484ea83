import type { Static } from 'typebox';
import { bodyFailure } from '../../src/kernel/bodies/body-failures.js';
import { objectOf } from '../../src/kernel/values/parse-json.js';
import type { HaltedFlag } from '../../src/modules/switch/halting/halted-flag.js';
import type { Body } from '../body.js';
import type { FlagAnswer } from './schemas.js';

/** The halt webhook's body as an object. Fails with `invalid_body`. */
export function haltBody(body: Body): Readonly<Record<string, unknown>> {
  const object = objectOf(body);
  if (!object) throw bodyFailure('invalid_body');
  return object;
}

export const flagAnswer = (flag: HaltedFlag): Static<typeof FlagAnswer> => ({
  flag: {
    id: flag.id,
    project_id: flag.projectId,
    environment: flag.environment,
    key: flag.key,
    kind: flag.kind,
    description: flag.description,
    default_value: flag.defaultValue,
    default_variant: flag.defaultVariant,
    is_archived: flag.isArchived,
    current_version: flag.currentVersion,
    halted_at: flag.haltedAt?.toISOString() ?? null,
    halt_reason: flag.haltReason,
    halt_condition: null,
    created_at: flag.createdAt.toISOString(),
    updated_at: flag.updatedAt.toISOString(),
  },
});
