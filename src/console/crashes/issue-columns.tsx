import type { IssueRowFragment } from '#documents';
import { Sparkline } from '../parts/charts/sparkline.js';
import type { Column } from '../parts/rows/rows.js';
import { When } from '../parts/when.js';
import { peopleOf } from './issue-state.js';
import { Severity } from './severity.js';

export const ISSUE_COLUMNS: readonly Column<IssueRowFragment>[] = [
  {
    name: 'Issue',
    width: 'minmax(0, 4fr)',
    cell: ({ title, culprit }) => (
      <div dir="auto" className="cut">
        <strong>{title}</strong> <span className="soft mono">{culprit}</span>
      </div>
    ),
  },
  { name: 'Level', width: '70px', wideOnly: true, cell: ({ severity }) => <Severity level={severity} /> },
  {
    name: '14 days',
    width: '100px',
    wideOnly: true,
    cell: ({ activity }) => <Sparkline counts={activity.days} label="Events by day" />,
  },
  {
    name: 'Events',
    width: '64px',
    field: 'eventCount',
    isNumber: true,
    cell: ({ eventCount }) => Number(eventCount).toLocaleString('en'),
  },
  { name: 'People', width: '56px', wideOnly: true, isNumber: true, cell: peopleOf },
  {
    name: 'Assigned',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ assignee }) => <div className="cut soft">{assignee?.email.split('@')[0] ?? ''}</div>,
  },
  {
    name: 'Release',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ lastRelease }) => <div className="mono cut">{lastRelease ?? ''}</div>,
  },
  {
    name: 'Last seen',
    width: '112px',
    narrow: '96px',
    field: 'lastSeenAt',
    cell: ({ lastSeenAt }) => <When at={lastSeenAt} />,
  },
];
