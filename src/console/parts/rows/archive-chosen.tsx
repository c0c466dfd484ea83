import type { Changed } from '../../data/use-document.js';
import { Confirmed } from '../confirmed.js';
import { counted } from '../short-numbers.js';
import type { Chosen } from './use-chosen.js';

interface ArchiveChosenProps {
  /** Shows nothing while nothing is selected. */
  chosen: Chosen;
  /** The singular noun, such as "flag". */
  one: string;
  /** The consequences, shown before confirming. */
  goesAlong: readonly string[];
  may: boolean;
  archive: (variables: { ids: string[] }, done: string, undo?: () => unknown) => Promise<Changed<unknown>>;
  /** Unarchives one as it was, where possible. */
  takeOut?: (id: string) => Promise<unknown>;
}

/** Archives the selected rows of a list. Rows that are refused stay selected. */
export function ArchiveChosen({ chosen: { ids, change }, one, goesAlong, may, archive, takeOut }: ArchiveChosenProps) {
  if (ids.length === 0) return null;
  const run = async () => {
    // Undo in reverse order: a later row may be required by an earlier one.
    const undo =
      takeOut &&
      (async () => {
        for (const id of ids.toReversed()) await takeOut(id);
      });
    const answered = await archive({ ids: [...ids] }, `${counted(ids.length, one)} archived.`, undo);
    if (!answered.error) change(answered.refused);
    return answered;
  };
  return (
    <Confirmed
      action={`Archive ${ids.length}`}
      what={ids.length === 1 ? one : `${one}s`}
      goesAlong={goesAlong}
      may={may}
      variant="default"
      run={run}
    />
  );
}
