import type { FlagRowFragment, StaleReason } from '#documents';
import { Tag } from '../parts/tag.js';

/** Why a flag looks as if it could go. */
export const STALE_WORDS: Readonly<Record<StaleReason, string>> = {
  halted: 'halted',
  unchanging: 'everybody gets the same',
  unused: 'nobody asks for it',
};

/** Whether a flag decides by its rules, serves the default alone, or nobody uses it any more. */
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
