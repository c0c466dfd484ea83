import type { ReactNode } from 'react';
import { refusalOf, useScope } from '../../data/scope.js';

interface RowActionProps {
  may: boolean;
  /** The action and the row, for screen readers. */
  label: string;
  onClick: () => void;
  children: ReactNode;
}

/** A light button in a table row. If the viewer may not use it, it stays and explains why. */
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
