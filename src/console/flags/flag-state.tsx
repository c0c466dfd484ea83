import { Badge, Group, Tooltip } from '@mantine/core';
import type { FlagRowFragment, StaleReason } from '#documents';

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
  if (isArchived) return <Badge color="gray">Archived</Badge>;
  return (
    <Group gap={4} wrap="nowrap">
      {haltedAt ? (
        <Badge color="red" variant="filled">
          Halted
        </Badge>
      ) : (
        <Badge color="teal">Active</Badge>
      )}
      {stale && (
        <Tooltip label={`${STALE_WORDS[stale.reason]}, for 30 days or more`}>
          <Badge color="yellow" className="above">
            Stale
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}
