import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { shortNumber } from '../short-numbers.js';
import { seriesColour } from './series-colours.js';

export interface BarsProps {
  /** One row a place on the axis, with the count of each series, in their order. */
  rows: readonly { at: string; counts: readonly number[] }[];
  /** Their names, as people gave them. */
  series: readonly string[];
  height: number;
  onPress?: ((at: number) => void) | undefined;
}

/** The chart takes the name of a series for a key of its rows, where it could be that of the axis. */
const keyOf = (place: number): string => `series ${place}`;

/** Bars in time, those of several series on each other; loaded with the charts when the first one is shown. */
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
        // The whole column is pressed, however low its bar is: what the chart itself says of a press is what the pointer was over before.
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
