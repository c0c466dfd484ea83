import { Box, Group } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Muted } from '../text.js';
import { ChartTable } from './chart-table.js';

const Bars = lazy(() => import('./bars.js'));

export type Interval = 'hour' | 'day' | 'week' | 'month';

interface SeriesChartProps {
  times: readonly string[];
  /** Each series' counts by its name, one per time. */
  series: Readonly<Record<string, readonly number[]>>;
  interval: Interval;
  label: string;
  /** In pixels. */
  height?: number;
  /** Called with the index of the time that was clicked. Whatever it does must also be possible by keyboard. */
  onPress?: (at: number) => void;
}

interface CountsChartProps extends Omit<SeriesChartProps, 'times' | 'series'> {
  counts: readonly { at: string; count: number }[];
}

/** Counts over time, in UTC like all counts. */
export function CountsChart({ counts, ...chart }: CountsChartProps) {
  return (
    <SeriesChart
      times={counts.map(({ at }) => at)}
      series={{ [chart.label]: counts.map(({ count }) => count) }}
      {...chart}
    />
  );
}

/** Counts of several series over time. */
export function SeriesChart({ times, series, interval, label, height = 170, onPress }: SeriesChartProps) {
  const names = Object.keys(series);
  const totals = times.map((_, at) => names.reduce((sum, name) => sum + (series[name]?.[at] ?? 0), 0));
  if (totals.every((total) => total === 0)) return <Muted>None in this period.</Muted>;
  const sum = totals.reduce((total, count) => total + count, 0);
  const most = Math.max(...totals);
  const years = new Set(times.map((at) => new Date(at).getUTCFullYear()));
  const format = formatOf(interval, years.size > 1);
  const rows = times.map((at, index) => ({
    at: format.format(new Date(at)),
    counts: names.map((name) => series[name]?.[index] ?? 0),
  }));
  return (
    <div className="chart">
      <div
        role="img"
        aria-label={`${label}: ${sum.toLocaleString('en')} in total, at most ${most.toLocaleString('en')} (${rows[totals.indexOf(most)]?.at})`}
      >
        <Suspense fallback={<Box h={height} />}>
          <Bars rows={rows} series={names} height={height} onPress={onPress} />
        </Suspense>
      </div>
      <Group className="chart-foot" justify="space-between" gap="xs" mt={8}>
        <ChartTable label={label} rows={rows} series={names} />
        <Muted size="xs">
          {onPress && 'Click a bar to list its events. '}
          <span>UTC</span>
        </Muted>
      </Group>
    </div>
  );
}

const HOUR = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

function formatOf(interval: Interval, hasYears: boolean): Intl.DateTimeFormat {
  if (interval === 'hour') return HOUR;
  if (interval === 'month') return MONTH;
  return hasYears ? DAY_OF_YEAR : DAY;
}
