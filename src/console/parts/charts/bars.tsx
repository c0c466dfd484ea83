import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { shortNumber } from '../short-numbers.js';
import { seriesColour } from './series-colours.js';

export interface BarsProps {
  /** One row per point on the axis, with the count of each series in order. */
  rows: readonly { at: string; counts: readonly number[] }[];
  /** Their names, as users chose them. */
  series: readonly string[];
  height: number;
  onPress?: ((at: number) => void) | undefined;
}

/** The chart uses series names as row keys, where a name could clash with the axis key. */
const keyOf = (place: number): string => `series ${place}`;

/** A stacked bar chart over time, loaded with the first chart shown. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Bars({ rows, series, height, onPress }: BarsProps) {
  return (
    <BarChart
      h={height}
      data={rows.map(({ at, counts }) => ({
        at,
        ...Object.fromEntries(counts.map((count, place) => [keyOf(place), count])),
      }))}
      dataKey="at"
      type="stacked"
      series={series.map((label, place) => ({ name: keyOf(place), label, color: seriesColour(place) }))}
      gridAxis="x"
      gridColor="var(--line-soft)"
      textColor="var(--ink-soft)"
      strokeDasharray="0"
      tickLine="none"
      barProps={{
        radius: [2, 2, 0, 0],
        isAnimationActive: false,
        // Clicking anywhere in a column counts, however short its bar. The chart's own click event reports the previously hovered bar.
        ...(onPress && {
          background: { fill: 'transparent', cursor: 'pointer' },
          cursor: 'pointer',
          onClick: (_bar: unknown, at: number) => onPress(at),
        }),
      }}
      maxBarWidth={28}
      valueFormatter={(value) => value.toLocaleString('en')}
      xAxisProps={{ minTickGap: 48, interval: 'preserveStart', tickMargin: 6 }}
      yAxisProps={{ allowDecimals: false, tickCount: 4, width: 44, tickFormatter: shortNumber, interval: 0 }}
      barChartProps={{ accessibilityLayer: false, barCategoryGap: '18%', margin: { top: 8, left: 0, right: 4 } }}
    />
  );
}
