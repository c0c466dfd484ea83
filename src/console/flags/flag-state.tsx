import { Badge } from '@mantine/core';
import type { FlagRowFragment } from '#documents';

/** Whether a flag decides by its rules, serves the default alone, or nobody uses it any more. */
export function FlagState({
  flag: { haltedAt, isArchived },
}: {
  flag: Pick<FlagRowFragment, 'haltedAt' | 'isArchived'>;
}) {
  if (isArchived) return <Badge color="gray">Archived</Badge>;
  if (haltedAt)
    return (
      <Badge color="red" variant="filled">
        Halted
      </Badge>
    );
  return <Badge color="teal">Active</Badge>;
}
