import { useBlocker } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { CombinedError } from 'urql';
import { isConflict } from '../data/failures.js';
import { refreshShown } from '../data/freshness.js';
import type { Changed } from '../data/use-document.js';

interface DraftOptions<T> {
  /** What the server has now. */
  stored: T;
  version: number;
  /** What two of them are compared by. */
  text: (value: T) => string;
  /** Stores it if the version is still this one. */
  save: (value: T, expectedVersion: number, note: string) => Promise<Changed<unknown>>;
}

export interface Draft<T> {
  value: T;
  change: (part: Partial<T>) => void;
  replace: (value: T) => void;
  isDirty: boolean;
  /** Somebody else stored another version while this one was edited: theirs and ours as text. */
  theirs: { version: number; theirs: string; ours: string } | null;
  error: CombinedError | undefined;
  isSaving: boolean;
  save: (note: string) => Promise<void>;
  /** Drops what was edited. */
  reset: () => void;
  /** Goes on with ours, knowing theirs. */
  keepOurs: () => void;
}

interface Edited<T> {
  value: T;
  base: number;
  baseText: string;
}

/**
 * What is being edited of an object with versions. Nothing of others is overwritten unseen: the version that one began with goes along,
 * and when it is no longer the newest, both texts are shown. Leaving the page with unsaved changes asks first.
 */
export function useDraft<T extends object>({ stored, version, text, save }: DraftOptions<T>): Draft<T> {
  const [edited, setEdited] = useState<Edited<T> | null>(null);
  const [error, setError] = useState<CombinedError>();
  const [isSaving, setSaving] = useState(false);
  const storedText = text(stored);
  const value = edited?.value ?? stored;
  const isDirty = edited !== null && text(edited.value) !== edited.baseText;
  const isStale = isDirty && edited.base !== version && edited.baseText !== storedText;

  const replace = useCallback(
    (next: T) =>
      setEdited((before) => ({
        value: next,
        base: before?.base ?? version,
        baseText: before?.baseText ?? storedText,
      })),
    [version, storedText],
  );
  const reset = () => {
    setEdited(null);
    setError(undefined);
  };
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      !isSaving &&
      current.pathname !== next.pathname &&
      !window.confirm('Leave without saving your changes?'),
    enableBeforeUnload: () => isDirty,
  });
  return {
    value,
    change: (part) => replace({ ...value, ...part }),
    replace,
    isDirty,
    theirs: isStale ? { version, theirs: storedText, ours: text(value) } : null,
    error: isStale ? undefined : error,
    isSaving,
    reset,
    keepOurs: () => {
      setError(undefined);
      setEdited({ value, base: version, baseText: storedText });
    },
    save: async (note) => {
      setSaving(true);
      const { error: failure } = await save(value, isStale ? edited.base : version, note);
      setSaving(false);
      setError(failure);
      // The newer version is fetched, and both texts are shown.
      if (isConflict(failure)) refreshShown();
      if (!failure) setEdited(null);
    },
  };
}
