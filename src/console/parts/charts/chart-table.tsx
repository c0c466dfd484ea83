import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { BarsProps } from './bars.js';

interface ChartTableProps extends Pick<BarsProps, 'rows' | 'series'> {
  label: string;
}

/** The figures of a chart as a table, once asked for: for screen readers, and to read exact numbers. */
export function ChartTable({ label, rows, series }: ChartTableProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const action = isOpen ? 'Hide table' : 'Show table';
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-expanded={isOpen}
        aria-label={`${action}: ${label}`}
        onClick={toggle}
      >
        {action}
      </Button>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table must scroll by keyboard too
        <div className="chart-table" tabIndex={0}>
          <table aria-label={label}>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map((name) => (
                  <th scope="col" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ at, counts }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a name of a time can occur twice
                <tr key={place}>
                  <th scope="row">{at}</th>
                  {counts.map((count, of) => (
                    <td key={series[of]}>{count.toLocaleString('en')}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
