import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { seriesColour } from './series-colours.js';

export interface BarsProps {
  /** One row a place on the axis, with the count of each series by its name. */
  rows: readonly Readonly<Record<string, string | number>>[];
  series: readonly string[];
}

/** Bars in time, those of several series on each other; loaded with the charts when the first one is shown. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Bars({ rows, series }: BarsProps) {
  return (
    <BarChart
      h={180}
      data={rows as Record<string, string | number>[]}
      dataKey="at"
      type="stacked"
      series={series.map((name, at) => ({ name, color: seriesColour(at) }))}
      gridAxis="x"
      tickLine="none"
      barProps={{ radius: 2, isAnimationActive: false }}
      maxBarWidth={36}
      xAxisProps={{ minTickGap: 40 }}
      yAxisProps={{ allowDecimals: false }}
      barChartProps={{ accessibilityLayer: false, margin: { left: -10, right: 4 } }}
    />
  );
}
