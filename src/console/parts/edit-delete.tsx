import type { ReactNode } from 'react';
import { type Attempt, ConfirmedLoss } from './confirmed.js';
import { Permitted } from './permitted.js';

interface EditDeleteProps {
  may: boolean;
  /** The object of the question that confirms the deletion. */
  what: string;
  goesAlong: readonly ReactNode[];
  onEdit: () => void;
  remove: () => Promise<Attempt>;
}

/** The actions on a row in a short list. */
export function EditDelete({ may, what, goesAlong, onEdit, remove }: EditDeleteProps) {
  return (
    <>
      <Permitted may={may} variant="subtle" size="compact-xs" aria-label={`Edit ${what}`} onClick={onEdit}>
        Edit
      </Permitted>
      <ConfirmedLoss may={may} action="Delete" what={what} goesAlong={goesAlong} run={remove} />
    </>
  );
}
