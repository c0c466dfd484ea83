import { Badge } from '@mantine/core';
import type { IssueRowFragment } from '#documents';
import { When } from '../parts/when.js';

/** Whether an issue is open, resolved or ignored, and until when. */
export function IssueState({ issue }: { issue: IssueRowFragment }) {
  const { status, ignored, ignoredUntil, ignoredUntilCount } = issue;
  if (status === 'resolved') return <Badge color="teal">Resolved</Badge>;
  if (!ignored) return <Badge color="red">Open</Badge>;
  return (
    <Badge color="gray">
      Ignored{ignoredUntil ? ' until ' : ''}
      {ignoredUntil ? <When at={ignoredUntil} /> : ''}
      {ignoredUntilCount ? ` until event ${Number(ignoredUntilCount).toLocaleString('en')}` : ''}
    </Badge>
  );
}

/** How many people an issue affected recently. */
export const peopleOf = ({ activity }: IssueRowFragment): string =>
  `${activity.isEstimate ? 'over ' : ''}${activity.people.toLocaleString('en')}`;
