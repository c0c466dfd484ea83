import { Checkbox, type CheckboxProps } from '@mantine/core';
import { useMemo } from 'react';
import type { Column } from './rows.js';
import type { Chosen } from './use-chosen.js';

interface ChoosingBoxProps extends CheckboxProps {
  chosen: Chosen;
  id: string;
  /** Tells screen readers which row it selects. */
  name: string;
}

/** Selects a row for bulk actions. */
export function ChoosingBox({ chosen: { ids, tick }, id, name, ...box }: ChoosingBoxProps) {
  return (
    <Checkbox
      size="xs"
      aria-label={`Select ${name}`}
      checked={ids.includes(id)}
      onChange={(event) => tick(id, event.currentTarget.checked)}
      {...box}
    />
  );
}

/** The columns of a table, plus a selection column for those who may change several rows at once; `name` is the field that names a row. */
export function useChoosingColumn<Name extends string, Row extends { id: string } & Record<Name, string>>(
  columns: readonly Column<Row>[],
  chosen: Chosen | null,
  name: Name,
): readonly Column<Row>[] {
  return useMemo(
    () =>
      chosen
        ? [
            ...columns,
            {
              name: 'Select',
              width: '52px',
              wideOnly: true,
              cell: (row) => <ChoosingBox className="above" chosen={chosen} id={row.id} name={row[name]} />,
            },
          ]
        : columns,
    [columns, chosen, name],
  );
}
