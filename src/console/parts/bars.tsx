import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

/** Bars in time; loaded with the charts when the first one is shown. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Bars({ rows }: { rows: { at: string; count: number }[] }) {
  return (
    <BarChart
      h={180}
      data={rows}
      dataKey="at"
      series={[{ name: 'count', color: 'deck.5' }]}
      gridAxis="y"
      tickLine="none"
      barProps={{ radius: 2, isAnimationActive: false }}
      xAxisProps={{ minTickGap: 40 }}
      barChartProps={{ accessibilityLayer: false, margin: { left: -10, right: 4 } }}
    />
  );
}
