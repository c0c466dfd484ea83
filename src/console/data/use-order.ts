import { oneOf, useSearchState } from './use-search-state.js';

type Direction = 'asc' | 'desc';

/**
 * The order of a list, kept in its address as `field.direction`; the list's own where the address has none, or none that the list knows.
 *
 * @param fields those that a list can be ordered by, its own first
 * @param own the direction of its own order
 * @param first the direction that a press on another heading begins with
 */
export function useOrder<Field extends string>(
  fields: readonly [Field, ...Field[]],
  own: Direction,
  first: Direction = own,
) {
  const [search, change] = useSearchState();
  const [given, way] = (search.order ?? '').split('.');
  const field = oneOf(given, fields);
  const direction: Direction = field === given ? oneOf(way, [first, first === 'asc' ? 'desc' : 'asc']) : own;
  return {
    orderBy: { field, direction },
    order: { field, isDescending: direction === 'desc' },
    onOrder: (next: string) => {
      const isTurned = next === field && direction === first;
      change({ order: `${next}.${isTurned === (first === 'asc') ? 'desc' : 'asc'}` });
    },
  };
}
