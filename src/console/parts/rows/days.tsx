import { TextInput } from '@mantine/core';
import { useSearchState } from '../../data/use-search-state.js';
import { useTypedSearch } from './search-field.js';

/** An instant of the day; null where an address has something else, as a year of which two digits are typed. */
function instantOf(day: string | undefined, time: string): string | null {
  const at = /^[12]\d{3}-\d\d-\d\d$/.test(day ?? '') ? new Date(`${day}T${time}Z`) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** Where the days that the address has as `from` and `to` begin and end, in UTC like everything that is counted. */
export function useDays(): { from: string | null; to: string | null } {
  const [search] = useSearchState();
  return { from: instantOf(search.from, '00:00:00.000'), to: instantOf(search.to, '23:59:59.999') };
}

/** The first and the last day of what is shown, which the address keeps. */
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
