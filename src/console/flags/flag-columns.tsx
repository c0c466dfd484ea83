import type { FlagsQuery } from '#documents';
import { Sparkline } from '../parts/charts/sparkline.js';
import { RowAction } from '../parts/rows/row-action.js';
import type { Column } from '../parts/rows/rows.js';
import { shortNumber } from '../parts/short-numbers.js';
import { When } from '../parts/when.js';
import { FlagState } from './flag-state.js';

export type FlagRow = NonNullable<FlagsQuery['flags']>['nodes'][number];

/** How often a flag was evaluated in each hour of the last day, across variants. */
function hourly({ usage: { variants } }: FlagRow): number[] {
  const hours = variants[0]?.counts.length ?? 0;
  return Array.from({ length: hours }, (_, at) => variants.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0));
}

export const flagColumns = (halt: (flag: FlagRow) => void): Column<FlagRow>[] => [
  {
    name: 'Flag',
    width: 'minmax(0, 4fr)',
    field: 'key',
    cell: ({ key, description }) => (
      <div className="cut">
        <span className="mono">{key}</span> <span className="soft wide-only">{description}</span>
      </div>
    ),
  },
  { name: 'State', width: '118px', narrow: '66px', cell: (flag) => <FlagState flag={flag} /> },
  {
    name: 'Evaluations, 24 h',
    width: '140px',
    wideOnly: true,
    cell: (flag) => (
      <div className="told">
        <Sparkline counts={hourly(flag)} label="Evaluations per hour, last day" />
        <span className={flag.usage.total === 0 ? 'soft' : undefined}>{shortNumber(flag.usage.total)}</span>
      </div>
    ),
  },
  {
    name: 'Default',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ defaultVariant }) => <span className="mono cut">{defaultVariant}</span>,
  },
  { name: 'Version', width: '56px', wideOnly: true, isNumber: true, cell: ({ currentVersion }) => currentVersion },
  {
    name: 'Changed',
    width: '112px',
    field: 'updatedAt',
    wideOnly: true,
    cell: ({ updatedAt }) => <When at={updatedAt} />,
  },
  {
    name: 'Actions',
    width: '62px',
    narrow: '58px',
    cell: (flag) =>
      flag.haltedAt || flag.isArchived ? null : (
        <RowAction
          may={flag.viewerCan.includes('switch_flag_halt')}
          label={`Halt ${flag.key}`}
          onClick={() => halt(flag)}
        >
          Halt
        </RowAction>
      ),
  },
];
