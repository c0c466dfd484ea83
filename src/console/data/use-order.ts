import { oneOf, useSearchState } from './use-search-state.js';

type Direction = 'asc' | 'desc';

/**
 * The order of a list, kept in its address as `field.direction`. Falls back to the default order if the address has
 * none or an unknown one.
 *
 * @param fields the fields to sort by, default first
 * @param own the default direction
 * @param first the initial direction when sorting by another field
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
