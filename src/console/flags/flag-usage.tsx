import { ColorSwatch, Group, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { FlagUsageDocument, type FlagWholeFragment } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { SeriesChart } from '../parts/charts/counts-chart.js';
import { DAY_MS, HOUR_MS } from '../parts/charts/durations.js';
import { seriesColour } from '../parts/charts/series-colours.js';
import { Panel } from '../parts/page.js';
import { Choice, useChoice } from '../parts/rows/choice.js';
import { WaitingRows } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { When } from '../parts/when.js';
import { STALE_WORDS } from './flag-state.js';
import { usageSince } from './usage-since.js';

const SPAN_NAMES = { day: '24 hours', week: '7 days', month: '30 days' } as const;

const SPANS = {
  day: { interval: 'hour', milliseconds: DAY_MS },
  week: { interval: 'hour', milliseconds: 7 * DAY_MS },
  month: { interval: 'day', milliseconds: 30 * DAY_MS },
} as const satisfies Record<keyof typeof SPAN_NAMES, object>;

/** How often the flag served each variant, and why it may be ready to remove. */
export function FlagUsage({ flag }: { flag: FlagWholeFragment }) {
  const span = useChoice('span', SPAN_NAMES);
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
    <Panel title="Usage" aside={<Choice label="Period" name="span" choices={SPAN_NAMES} />}>
      {usage ? (
        <Stack gap="sm">
          <SeriesChart
            times={timesOf(usage.from, usage.to, interval)}
            series={Object.fromEntries(usage.variants.map(({ variant, counts }) => [variant, counts]))}
            interval={interval}
            label="Evaluations by variant"
          />
          {usage.variants.map(({ variant, total }, at) => (
            <Group key={variant} justify="space-between" gap="xs">
              <Group gap={6}>
                <ColorSwatch size={10} color={`var(--mantine-color-${seriesColour(at).replace('.', '-')})`} />
                <span className="mono">{variant}</span>
              </Group>
              <Muted size="xs">
                {total.toLocaleString('en')} · {((100 * total) / Math.max(1, usage.total)).toFixed(1)}%
              </Muted>
            </Group>
          ))}
        </Stack>
      ) : (
        <WaitingRows rows={4} error={error} />
      )}
      <Text size="sm" mt="sm">
        {flag.lastEvaluatedAt ? (
          <>
            Last evaluated <When at={flag.lastEvaluatedAt} />
          </>
        ) : (
          'Never evaluated'
        )}
      </Text>
      {flag.stale && (
        <Text size="sm" className="warn" mt={4}>
          Stale: {STALE_WORDS[flag.stale.reason]}; this began <When at={flag.stale.since} />. Remove it from your code,
          then archive it.
        </Text>
      )}
    </Panel>
  );
}

/** When each interval begins. */
function timesOf(from: string, to: string, interval: 'hour' | 'day'): string[] {
  const step = interval === 'hour' ? HOUR_MS : DAY_MS;
  const times: string[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += step) times.push(new Date(at).toISOString());
  return times;
}
