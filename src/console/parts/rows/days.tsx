import { TextInput } from '@mantine/core';
import { useSearchState } from '../../data/use-search-state.js';
import { useTypedSearch } from './search-field.js';

/** An instant of the day; null if the address contains something else, such as a half-typed year. */
function instantOf(day: string | undefined, time: string): string | null {
  const at = /^[12]\d{3}-\d\d-\d\d$/.test(day ?? '') ? new Date(`${day}T${time}Z`) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The start of the address's `from` day and the end of its `to` day, in UTC like all counts. */
export function useDays(): { from: string | null; to: string | null } {
  const [search] = useSearchState();
  return { from: instantOf(search.from, '00:00:00.000'), to: instantOf(search.to, '23:59:59.999') };
}

/** The first and last day shown, kept in the address. */
export function Days() {
  const [from, setFrom] = useTypedSearch('from');
  const [to, setTo] = useTypedSearch('to');
  return (
    <>
      <TextInput
        type="date"
        label="From (UTC)"
        max={to || undefined}
        value={from}
        onChange={(e) => setFrom(e.currentTarget.value)}
        w={150}
      />
      <TextInput
        type="date"
        label="To"
        min={from || undefined}
        value={to}
        onChange={(e) => setTo(e.currentTarget.value)}
        w={150}
      />
    </>
  );
}
