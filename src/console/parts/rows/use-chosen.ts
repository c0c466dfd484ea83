import { useCallback, useState } from 'react';

const NONE: readonly string[] = [];

/** The rows of a list that somebody has selected; none once the list is asked for with other variables. */
export function useChosen(variables: object): [ids: readonly string[], choose: (ids: readonly string[]) => void] {
  const list = JSON.stringify(variables);
  const [chosen, setChosen] = useState<{ list: string; ids: readonly string[] }>({ list, ids: [] });
  if (chosen.list !== list) setChosen({ list, ids: [] });
  const change = useCallback((ids: readonly string[]) => setChosen({ list, ids }), [list]);
  return [chosen.list === list ? chosen.ids : NONE, change];
}
