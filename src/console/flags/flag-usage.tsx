import { ColorSwatch, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { FlagUsageDocument, type FlagWholeFragment } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { oneOf, useSearchState } from '../data/use-search-state.js';
import { SeriesChart } from '../parts/charts/counts-chart.js';
import { seriesColour } from '../parts/charts/series-colours.js';
import { Panel } from '../parts/page.js';
import { WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';
import { HOUR_MS, usageSince } from './flag-asked.js';
import { STALE_WORDS } from './flag-state.js';

const SPANS = {
  day: { label: '24 hours', interval: 'hour', milliseconds: 24 * HOUR_MS },
  week: { label: '7 days', interval: 'hour', milliseconds: 168 * HOUR_MS },
  month: { label: '30 days', interval: 'day', milliseconds: 720 * HOUR_MS },
} as const;

/** How often the flag was served and with which variant, and the reasons for taking it out of the code. */
export function FlagUsage({ flag }: { flag: FlagWholeFragment }) {
  const [search, change] = useSearchState();
  const span = oneOf(search.span, ['day', 'week', 'month']);
  const { projectId } = useScope();
  const { interval, milliseconds } = SPANS[span];
  const asked = useMemo(() => usageSince(milliseconds, interval), [milliseconds, interval]);
  const { data, error } = useDocument(FlagUsageDocument, {
    projectId,
    environment: flag.environment,
    key: flag.key,
    ...asked,
  });
  const usage = data?.flagByKey?.usage;
  return (
    <Panel
      title="Usage"
      aside={
        <SegmentedControl
          aria-label="How far back"
          data={Object.entries(SPANS).map(([value, { label }]) => ({ value, label }))}
          value={span}
          onChange={(next) => change({ span: next === 'day' ? null : next })}
        />
      }
    >
      {usage ? (
        <Stack gap="sm">
          <SeriesChart
            times={timesOf(usage.from, usage.to, interval)}
            series={Object.fromEntries(usage.variants.map(({ variant, counts }) => [variant, counts]))}
            interval={interval}
            label="Answers by variant"
          />
          {usage.variants.map(({ variant, total }, at) => (
            <Group key={variant} justify="space-between" gap="xs">
              <Group gap={6}>
                <ColorSwatch size={10} color={`var(--mantine-color-${seriesColour(at).replace('.', '-')})`} />
                <span className="mono">{variant}</span>
              </Group>
              <Text size="xs" c="dimmed">
                {total.toLocaleString('en')} · {((100 * total) / Math.max(1, usage.total)).toFixed(1)} %
              </Text>
            </Group>
          ))}
        </Stack>
      ) : (
        <WaitingRows rows={4} error={error} />
      )}
      <Text size="sm" mt="sm">
        Last evaluated <When at={flag.lastEvaluatedAt} />
      </Text>
      {flag.stale && (
        <Text size="sm" className="warn" mt={4}>
          Stale: {STALE_WORDS[flag.stale.reason]} since <When at={flag.stale.since} />. Take it out of the code, then
          archive it.
        </Text>
      )}
    </Panel>
  );
}

/** When each interval begins. */
function timesOf(from: string, to: string, interval: 'hour' | 'day'): string[] {
  const step = interval === 'hour' ? HOUR_MS : 24 * HOUR_MS;
  const times: string[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += step) times.push(new Date(at).toISOString());
  return times;
}
