import { Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Waiting } from './states.js';

const Bars = lazy(() => import('./bars.js'));

export type Interval = 'hour' | 'day' | 'week' | 'month';

interface CountsChartProps {
  counts: readonly { at: string; count: number }[];
  interval: Interval;
  label: string;
}

/** How many, over time, in UTC like everything that is counted. */
export function CountsChart({ counts, interval, label }: CountsChartProps) {
  if (counts.every(({ count }) => count === 0))
    return (
      <Text size="sm" c="dimmed">
        None in this time.
      </Text>
    );
  return (
    <div className="chart" role="img" aria-label={`${label}: at most ${Math.max(...counts.map(({ count }) => count))}`}>
      <Suspense fallback={<Waiting />}>
        <Bars rows={counts.map(({ at, count }) => ({ at: labelOf(at, interval), count }))} />
      </Suspense>
    </div>
  );
}

const labelOf = (at: string, interval: Interval): string =>
  interval === 'hour' ? `${at.slice(8, 10)}. ${at.slice(11, 16)}` : at.slice(0, 10);
