import { Alert, Group, Text } from '@mantine/core';
import { EventVolumeDocument, WarningsDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { useSearchState } from '../data/use-search-state.js';
import { CountsChart, type Interval } from '../parts/charts/counts-chart.js';
import { DAY_MS } from '../parts/charts/durations.js';
import { useChartEnd } from '../parts/charts/use-chart-end.js';
import { Page, Panel } from '../parts/page.js';
import { Choice, useChoice } from '../parts/rows/choice.js';
import { SearchField } from '../parts/rows/search-field.js';
import { windowAddress } from '../parts/rows/time-window.js';
import { counted } from '../parts/short-numbers.js';
import { WaitingRows } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { Breakdown } from './breakdown.js';
import { EventTabs } from './event-tabs.js';
import { LatestEvents } from './latest-events.js';

const SPAN_NAMES = { '2 days': '2 days', '30 days': '30 days', '12 weeks': '12 weeks' } as const;
const USUAL_SPAN = '30 days';

const SPANS = {
  '2 days': { days: 2, interval: 'hour' },
  '30 days': { days: 30, interval: 'day' },
  '12 weeks': { days: 84, interval: 'week' },
} as const satisfies Record<keyof typeof SPAN_NAMES, { days: number; interval: Interval }>;

/** The events that apps send: volume, latest arrivals, and ingestion warnings. */
export function EventsPage() {
  const { projectId, environment } = useScope();
  const [search, change] = useSearchState();
  const to = useChartEnd(DAY_MS);
  const span = useChoice('span', SPAN_NAMES, USUAL_SPAN);
  const { days, interval } = SPANS[span];
  const [from, until] = [new Date(to - days * DAY_MS).toISOString(), new Date(to).toISOString()];
  const { data, error } = useDocument(EventVolumeDocument, {
    projectId,
    environment,
    eventName: search.q ?? null,
    interval,
    from,
    to: until,
  });
  const counts = data?.eventCounts;
  const listThoseOf = (bar: number) => {
    const [start, end] = [counts?.intervals[bar]?.at, counts?.intervals[bar + 1]?.at ?? until];
    if (start) change(windowAddress(Date.parse(start), Date.parse(end)));
  };
  return (
    <Page title="Events">
      <EventTabs here="events" />
      <Group gap="xs" mb="sm">
        <SearchField label="Event name" placeholder="Event name" />
        <Choice label="Time" name="span" choices={SPAN_NAMES} usual={USUAL_SPAN} />
      </Group>
      <Warnings />
      <Panel
        title={search.q ? `Volume of ${search.q}` : 'Event volume'}
        aside={
          <Muted size="xs">
            {counts ? counted(counts.total, 'event') : '…'} by {interval}
          </Muted>
        }
      >
        {counts ? (
          <CountsChart counts={counts.intervals} interval={interval} label="Events" onPress={listThoseOf} />
        ) : (
          <WaitingRows rows={4} error={error} />
        )}
      </Panel>
      {search.q && <Breakdown eventName={search.q} interval={interval} from={from} until={until} />}
      <LatestEvents />
    </Page>
  );
}

function Warnings() {
  const { projectId, environment } = useScope();
  const { data } = useDocument(WarningsDocument, { projectId, environment });
  const warnings = data?.ingestionWarnings?.nodes ?? [];
  if (warnings.length === 0) return null;
  return (
    <Alert variant="default" mb="md" title="Some incoming data needs attention">
      {warnings.map(({ id, reasonCode, explanation, count }) => (
        <Text size="sm" key={id}>
          <span className="mono">{reasonCode}</span> {count.toLocaleString('en')}×: {explanation}
        </Text>
      ))}
    </Alert>
  );
}
