import { Checkbox } from '@mantine/core';
import type { Column } from './rows.js';

/** The rows of a list that are selected, and how others are. */
export interface Chosen {
  ids: readonly string[];
  change: (ids: readonly string[]) => void;
}

/** The last column of a table of which several rows are changed at once; `nameOf` says which row is selected to those who only hear it. */
export const choosingColumn = <Row extends { id: string }>(
  { ids, change }: Chosen,
  nameOf: (row: Row) => string,
): Column<Row> => ({
  name: 'Select',
  width: '52px',
  wideOnly: true,
  cell: (row) => (
    <Checkbox
      className="above"
      size="xs"
      aria-label={`Select ${nameOf(row)}`}
      checked={ids.includes(row.id)}
      onChange={(event) => change(event.currentTarget.checked ? [...ids, row.id] : ids.filter((id) => id !== row.id))}
    />
  ),
});
