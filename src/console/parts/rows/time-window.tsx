import { Button, Group, Text, TextInput } from '@mantine/core';
import { useSearchState } from '../../data/use-search-state.js';
import { typing } from '../fields/typing.js';
import { useTypedSearch } from './search-field.js';

/** As in the fields, in UTC. While a year is being typed, they hold one from long ago. */
const UNITS = {
  day: { form: /^[12]\d{3}-\d\d-\d\d$/, zone: '', ms: 86_400_000 },
  minute: { form: /^[2-9]\d{3}-\d\d-\d\dT\d\d:\d\d$/, zone: 'Z', ms: 60_000 },
} as const;

/** An `InstantFilter` of the schema. */
export interface TimeWindow {
  from: string | null;
  to: string | null;
}

/** The days or minutes from `from` to `to` in the address, both inclusive. */
function useSpan(unit: keyof typeof UNITS): TimeWindow {
  const [search] = useSearchState();
  const { form, zone, ms } = UNITS[unit];
  const instantOf = (text = '', addMs = 0): string | null => {
    const start = form.test(text) ? Date.parse(text + zone) : Number.NaN;
    return Number.isNaN(start) ? null : new Date(start + addMs).toISOString();
  };
  return { from: instantOf(search.from), to: instantOf(search.to, ms - 1) };
}

export const useDays = (): TimeWindow => useSpan('day');

/** The minutes in the address; null if it has none. */
export function useTimeWindow(): TimeWindow | null {
  const span = useSpan('minute');
  return span.from === null && span.to === null ? null : span;
}

/** The address for a period whose end is exclusive. */
export const windowAddress = (fromMs: number, endMs: number): { from: string; to: string } => ({
  from: new Date(fromMs).toISOString().slice(0, 16),
  to: new Date(endMs - UNITS.minute.ms).toISOString().slice(0, 16),
});

/** Such as "from 2026-11-23 03:10 until 2026-11-23 03:20 UTC". */
export function windowWords({ from, to }: TimeWindow): string {
  const words = [from && `from ${inMinutes(from)}`, to && `until ${inMinutes(to)}`];
  return `${words.filter(Boolean).join(' ')} UTC`;
}

const inMinutes = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

/** Filters a list by time, kept in the address. `what` is what the times describe, such as "Received". */
export function TimeFields({ what }: { what: string }) {
  const [search, change] = useSearchState();
  const isNarrowed = Boolean(search.from || search.to);
  return (
    <Group gap={6} role="group" aria-label={`${what}, in UTC`}>
      <MinuteField name="from" label={`${what} from, in UTC`} />
      <MinuteField name="to" label={`${what} until, in UTC`} />
      <Text size="xs" className="soft" span>
        UTC
      </Text>
      {isNarrowed && (
        <Button variant="subtle" size="compact-sm" onClick={() => change({ from: null, to: null })}>
          Any time
        </Button>
      )}
    </Group>
  );
}

function MinuteField({ name, label }: { name: 'from' | 'to'; label: string }) {
  const [typed, setTyped] = useTypedSearch(name);
  return (
    <TextInput
      type="datetime-local"
      max="9999-12-31T23:59"
      aria-label={label}
      leftSection={
        <Text size="xs" className="soft" span>
          {name === 'from' ? 'from' : 'until'}
        </Text>
      }
      leftSectionWidth={44}
      {...typing(typed, setTyped)}
      w={228}
    />
  );
}

/** The first and last day shown, kept in the address. */
export function Days() {
  const [from, setFrom] = useTypedSearch('from');
  const [to, setTo] = useTypedSearch('to');
  return (
    <>
      <TextInput type="date" label="From (UTC)" max={to || undefined} {...typing(from, setFrom)} w={150} />
      <TextInput type="date" label="To" min={from || undefined} {...typing(to, setTo)} w={150} />
    </>
  );
}
