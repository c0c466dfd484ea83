import { actorRecord } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import type { Flag } from './flag.entity.js';
import { type FlagAction, FlagVersion } from './flag-version.entity.js';

/** Appends a version with the flag's current state. The caller holds the lock on the flag's row. */
export function appendFlagVersion(ctx: Context, flag: Flag, action: FlagAction, note: string | null): FlagVersion {
  flag.currentVersion += 1;
  flag.updatedAt = ctx.now();
  return ctx.em.create(FlagVersion, {
    flagId: flag.id,
    versionNumber: flag.currentVersion,
    action,
    behaviour: {
      variants: flag.variants,
      defaultVariant: flag.defaultVariant,
      rules: flag.rules,
      prerequisites: flag.prerequisites,
    },
    ...actorRecord(ctx.actor),
    note,
    evidenceUrl: action === 'halted' ? flag.haltEvidenceUrl : null,
    createdAt: ctx.now(),
  });
}

/** What an audit entry shows of a flag before and after a change. */
export function flagRecord(flag: Flag): object {
  const { description, defaultValue, defaultVariant, variants, rules, prerequisites, isArchived, currentVersion } =
    flag;
  const { haltedAt, haltReason } = flag;
  return {
    description,
    defaultValue,
    defaultVariant,
    variants,
    rules,
    prerequisites,
    isArchived,
    currentVersion,
    haltedAt,
    haltReason,
  };
}

const INSTANT = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** {@link flagRecord} in SQL, over the row of a flag that was just halted; also as of before the halt. */
export function flagRecordSql(state: 'before the halt' | 'as it is'): string {
  const [version, haltedAt, haltReason] =
    state === 'as it is'
      ? ['current_version', `to_char(halted_at at time zone 'utc', ${INSTANT})`, 'halt_reason']
      : ['current_version - 1', 'null', 'null'];
  return `jsonb_build_object('description', description, 'defaultValue', default_value, 'defaultVariant', default_variant,
    'variants', variants, 'rules', rules, 'prerequisites', prerequisites, 'isArchived', is_archived, 'currentVersion', ${version}, 'haltedAt', ${haltedAt},
    'haltReason', ${haltReason})`;
}
