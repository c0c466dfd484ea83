import type { Changed } from '../../data/use-document.js';
import { Confirmed } from '../confirmed.js';
import { counted } from '../short-numbers.js';
import type { Chosen } from './use-chosen.js';

interface ArchiveChosenProps {
  /** Nothing is shown while none is selected. */
  chosen: Chosen;
  /** What one of them is, as "flag". */
  one: string;
  /** What goes along with it; said before it is done. */
  goesAlong: readonly string[];
  may: boolean;
  archive: (variables: { ids: string[] }, done: string, undo?: () => unknown) => Promise<Changed<unknown>>;
  /** Brings one back as it was, where that can be done. */
  takeOut?: (id: string) => Promise<unknown>;
}

/** Archives the selected rows of a list; those that are refused stay selected. */
export function ArchiveChosen({ chosen: { ids, change }, one, goesAlong, may, archive, takeOut }: ArchiveChosenProps) {
  if (ids.length === 0) return null;
  const run = async () => {
    // What was archived last may be needed by what was archived before.
    const undo =
      takeOut &&
      (async () => {
        for (const id of ids.toReversed()) await takeOut(id);
      });
    const answered = await archive({ ids: [...ids] }, `${counted(ids.length, one)} in the archive.`, undo);
    if (!answered.error) change(answered.refused);
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
