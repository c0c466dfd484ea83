import type { ReactNode } from 'react';
import { refusalOf, useScope } from '../../data/scope.js';

interface RowActionProps {
  may: boolean;
  /** What it does to which row, for those who only hear it. */
  label: string;
  onClick: () => void;
  children: ReactNode;
}

/** A button in a row of a table, without the weight of the others; it stays, and says why, where the viewer may not use it. */
export function RowAction({ may, label, onClick, children }: RowActionProps) {
  const { role } = useScope();
  return (
    <button
      type="button"
      className="row-action above"
      aria-label={label}
      aria-disabled={!may || undefined}
      title={may ? undefined : refusalOf(role)}
      onClick={may ? onClick : undefined}
    >
      {children}
    </button>
  );
}
