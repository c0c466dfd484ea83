import { useCallback, useMemo, useState } from 'react';

type Ids = readonly string[];

/**
 * The rows of a list that somebody has selected; none once the list is asked for with other variables. One that has left the list, as by what a
 * colleague did, is not among them.
 */
export function useChosen(
  variables: object,
  rows: readonly { readonly id: string }[],
): [ids: Ids, choose: (ids: Ids) => void] {
  const list = JSON.stringify(variables);
  const [chosen, setChosen] = useState<{ list: string; ids: Ids }>({ list, ids: [] });
  if (chosen.list !== list) setChosen({ list, ids: [] });
  const ids = useMemo(() => {
    if (chosen.list !== list || chosen.ids.length === 0) return [];
    const there = new Set(rows.map(({ id }) => id));
    return chosen.ids.filter((id) => there.has(id));
  }, [chosen, list, rows]);
  const choose = useCallback((next: Ids) => setChosen({ list, ids: next }), [list]);
  return [ids, choose];
}
