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
  return (
    <SeriesChart
      times={counts.map(({ at }) => at)}
      series={{ count: counts.map(({ count }) => count) }}
      interval={interval}
      label={label}
    />
  );
}

interface SeriesChartProps {
  times: readonly string[];
  /** Counts of each series by its name, one for each time. */
  series: Readonly<Record<string, readonly number[]>>;
  interval: Interval;
  label: string;
}

/** How many of each, over time. */
export function SeriesChart({ times, series, interval, label }: SeriesChartProps) {
  const names = Object.keys(series);
  const totals = times.map((_, at) => names.reduce((sum, name) => sum + (series[name]?.[at] ?? 0), 0));
  if (totals.every((total) => total === 0))
    return (
      <Text size="sm" c="dimmed">
        None in this time.
      </Text>
    );
  const rows = times.map((at, index) => ({
    at: labelOf(at, interval),
    ...Object.fromEntries(names.map((name) => [name, series[name]?.[index] ?? 0])),
  }));
  return (
    <div className="chart" role="img" aria-label={`${label}: at most ${Math.max(...totals).toLocaleString('en')}`}>
      <Suspense fallback={<Waiting />}>
        <Bars rows={rows} series={names} />
      </Suspense>
    </div>
  );
}

const labelOf = (at: string, interval: Interval): string =>
  interval === 'hour' ? `${at.slice(8, 10)}. ${at.slice(11, 16)}` : at.slice(0, 10);
