import type { Environment, KeyActor } from '../../../kernel/actor.js';
import type { Caller } from '../../../kernel/context.js';
import type { FlagKindName } from '../flags/flag-kinds.js';

export type HaltCaller = Caller & { readonly actor: KeyActor };

/** A flag as returned by the halt webhook (docs/rest.md, Flags). */
export interface HaltedFlag {
  readonly id: string;
  readonly projectId: string;
  readonly environment: Environment;
  readonly key: string;
  readonly kind: FlagKindName;
  readonly description: string;
  readonly defaultValue: string;
  readonly defaultVariant: string;
  readonly isArchived: boolean;
  readonly currentVersion: number;
  readonly haltedAt: Date | null;
  readonly haltReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The columns of a {@link HaltedFlag}, of a table called `f`. */
export const FLAG_COLUMNS = `f.id, f.project_id as "projectId", f.environment, f.key, f.kind, f.description,
  f.default_value as "defaultValue", f.default_variant as "defaultVariant", f.is_archived as "isArchived",
  f.current_version as "currentVersion", f.halted_at as "haltedAt", f.halt_reason as "haltReason",
  f.created_at as "createdAt", f.updated_at as "updatedAt"`;
