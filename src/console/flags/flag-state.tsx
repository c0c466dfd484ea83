import type { FlagKind, FlagRowFragment, StaleReason } from '#documents';
import { Tag } from '../parts/tag.js';

export const FLAG_KINDS: Readonly<Record<FlagKind, string>> = { boolean: 'On/off', variant: 'Several variants' };

/** Why a flag may no longer be needed. */
export const STALE_WORDS: Readonly<Record<StaleReason, string>> = {
  halted: 'halted',
  unchanging: 'everyone gets the same variant',
  unused: 'not evaluated',
};

/** Whether a flag is active, halted, archived or stale. */
export function FlagState({
  flag: { haltedAt, isArchived, stale },
}: {
  flag: Pick<FlagRowFragment, 'haltedAt' | 'isArchived' | 'stale'>;
}) {
  if (isArchived) return <Tag>Archived</Tag>;
  return (
    <span className="tags">
      {haltedAt ? <Tag tone="halt">Halted</Tag> : <Tag tone="good">Active</Tag>}
      {stale && (
        <Tag tone="warn" title={`${STALE_WORDS[stale.reason]}, for 30 days or more`}>
          Stale
        </Tag>
      )}
    </span>
  );
}
