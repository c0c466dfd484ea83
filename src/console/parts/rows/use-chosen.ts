import { useMemo, useState } from 'react';

type Ids = readonly string[];

/** The selected rows of a list, and a way to change them. */
export interface Chosen {
  ids: Ids;
  change: (ids: Ids) => void;
  tick: (id: string, isChosen: boolean) => void;
}

/** Clears the selection when the list's variables change. Drops rows that have left the list, such as after a colleague's change. */
export function useChosen(variables: object, rows: readonly { readonly id: string }[]): Chosen {
  const list = JSON.stringify(variables);
  const [chosen, setChosen] = useState<{ list: string; ids: Ids }>({ list, ids: [] });
  if (chosen.list !== list) setChosen({ list, ids: [] });
  const ids = useMemo(() => {
    if (chosen.list !== list || chosen.ids.length === 0) return NONE;
    const there = new Set(rows.map(({ id }) => id));
    return chosen.ids.filter((id) => there.has(id));
  }, [chosen, list, rows]);
  return useMemo(() => {
    const change = (next: Ids) => setChosen({ list, ids: next });
    return { ids, change, tick: (id, isChosen) => change(isChosen ? [...ids, id] : ids.filter((one) => one !== id)) };
  }, [ids, list]);
}

const NONE: Ids = [];
