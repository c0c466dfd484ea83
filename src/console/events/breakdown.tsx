import { Autocomplete, ColorSwatch, Group } from '@mantine/core';
import { EventBreakdownDocument, type EventBreakdownQuery, LatestPropertiesDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { useSearchState } from '../data/use-search-state.js';
import { type Interval, SeriesChart } from '../parts/charts/counts-chart.js';
import { seriesColour } from '../parts/charts/series-colours.js';
import { Panel } from '../parts/page.js';
import { useTypedSearch } from '../parts/rows/search-field.js';
import { Failed, WaitingRows } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { When } from '../parts/when.js';

/** One per colour, keeping one for all others. */
const MOST_SERIES = 5;

interface BreakdownProps {
  eventName: string;
  interval: Interval;
  from: string;
  until: string;
}

/** An event's counts by the values of one property. */
export function Breakdown({ eventName, interval, from, until }: BreakdownProps) {
  const { projectId, environment } = useScope();
  const [search] = useSearchState();
  const property = search.by ?? '';
  const [typed, setTyped] = useTypedSearch('by');
  const known = useKnownProperties(eventName);
  const { data, error, fetching } = useDocument(
    EventBreakdownDocument,
    { projectId, environment, eventName, property, interval, from, to: until },
    { pause: property === '' },
  );
  const found = property === '' ? null : data?.eventBreakdown;
  return (
    <Panel
      title="By property"
      aside={
        <Autocomplete
          aria-label="Property"
          placeholder="Property"
          data={known}
          value={typed}
          onChange={setTyped}
          w={180}
        />
      }
    >
      {property === '' && <Muted>Choose a property to see its values.</Muted>}
      {found ? <Values found={found} interval={interval} property={property} /> : null}
      {!found && error && <Failed error={error} />}
      {!found && fetching && <WaitingRows rows={3} />}
    </Panel>
  );
}

/** Property names found in the event's latest occurrences. */
function useKnownProperties(eventName: string): string[] {
  const { projectId, environment } = useScope();
  const { data } = useDocument(LatestPropertiesDocument, { projectId, environment, eventName });
  const names = data?.events?.nodes.flatMap(({ properties }) => Object.keys((properties ?? {}) as object)) ?? [];
  return [...new Set(names)].sort();
}

interface ValuesProps {
  found: NonNullable<EventBreakdownQuery['eventBreakdown']>;
  interval: Interval;
  property: string;
}

function Values({ found, interval, property }: ValuesProps) {
  const { values, others, otherValues, read, isWhole, since, intervals } = found;
  if (read === 0) return <Muted>No events with this name in this period.</Muted>;
  const shown = values.slice(0, MOST_SERIES);
  const rest = values.slice(MOST_SERIES);
  const restCounts = intervals.map((_, at) => rest.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0));
  const series = Object.fromEntries(shown.map(({ value, counts }) => [nameOf(value), counts]));
  return (
    <>
      <SeriesChart
        times={intervals}
        series={rest.length > 0 ? { ...series, 'all others': restCounts } : series}
        interval={interval}
        label={`Events by ${property}`}
      />
      <table className="plain-table">
        <tbody>
          {values.map(({ value, count }, at) => (
            <tr key={JSON.stringify(value)}>
              <td className="mono">
                <Group gap={8} wrap="nowrap">
                  <ColorSwatch size={10} color={colourOf(Math.min(at, MOST_SERIES))} />
                  {nameOf(value)}
                </Group>
              </td>
              <td className="when">
                {count.toLocaleString('en')} ({((100 * count) / read).toFixed(1)}%)
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Muted size="xs" mt="xs">
        {others > 0 && `${others.toLocaleString('en')} events have ${otherValues.toLocaleString('en')} other values.  `}
        {isWhole ? (
          `All ${read.toLocaleString('en')} events in this period.`
        ) : (
          <>
            Only the newest {read.toLocaleString('en')} events in this period; the oldest was received{' '}
            <When at={since} />.
          </>
        )}
      </Muted>
    </>
  );
}

/** Charts use `at` as the key of the time axis. */
const nameOf = (value: string | null): string => (value === null ? '(not set)' : value === 'at' ? '"at"' : value);

const colourOf = (at: number): string => `var(--mantine-color-${seriesColour(at).replace('.', '-')})`;
