import { useBlocker } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { CombinedError } from 'urql';
import { isConflict } from '../data/failures.js';
import { refreshShown } from '../data/freshness.js';
import type { Changed } from '../data/use-document.js';
import { type FieldMerge, mergeOf } from './merge.js';

interface DraftOptions<T> {
  /** What the server has now. */
  stored: T;
  version: number;
  /** Each field as a person reads it; two drafts are compared by these. */
  parts?: (value: T) => Readonly<Record<keyof T, unknown>>;
  /** Stores it if the version is still this one. */
  save: (value: T, expectedVersion: number, note: string) => Promise<Changed<unknown>>;
}

/** Another version was stored while this one was edited. */
export interface Meanwhile<T> {
  fields: FieldMerge<keyof T & string>[];
  /** Whether the choice between them is asked for now. */
  isAsked: boolean;
  ask: () => void;
  later: () => void;
  /** Goes on with these fields of mine, and theirs elsewhere. */
  merge: (mine: ReadonlySet<keyof T>) => void;
}

export interface Draft<T> {
  value: T;
  change: (part: Partial<T>) => void;
  replace: (value: T) => void;
  isDirty: boolean;
  meanwhile: Meanwhile<T> | null;
  error: CombinedError | undefined;
  isSaving: boolean;
  save: (note: string) => Promise<boolean>;
  /** Drops what was edited. */
  reset: () => void;
}

interface Edited<T> {
  value: T;
  /** What the editing began with. */
  base: T;
}

/**
 * What is being edited of an object with versions. Nothing of others is overwritten unseen: the version that one began with goes along,
 * and when it is no longer the newest, one chooses field by field. Leaving the page with unsaved changes asks first.
 */
export function useDraft<T extends object>({
  stored,
  version,
  parts = (value) => value as Record<keyof T, unknown>,
  save,
}: DraftOptions<T>): Draft<T> {
  const [edited, setEdited] = useState<Edited<T> | null>(null);
  const [error, setError] = useState<CombinedError>();
  const [isSaving, setSaving] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const text = (of: T): string => JSON.stringify(parts(of));
  const value = edited?.value ?? stored;
  const isDirty = edited !== null && text(edited.value) !== text(edited.base);
  const isStale = isDirty && text(edited.base) !== text(stored);

  const replace = useCallback(
    (next: T) => setEdited((before) => (before ? { ...before, value: next } : { value: next, base: stored })),
    [stored],
  );
  const reset = () => {
    setEdited(null);
    setError(undefined);
    setAsked(false);
  };
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      !isSaving &&
      current.pathname !== next.pathname &&
      !window.confirm('Leave without saving your changes?'),
    enableBeforeUnload: () => isDirty,
  });
  const meanwhile: Meanwhile<T> | null = isStale
    ? {
        fields: mergeOf<keyof T & string>(parts(edited.base), parts(value), parts(stored)),
        isAsked,
        ask: () => setAsked(true),
        later: () => setAsked(false),
        merge: (mine) => {
          setError(undefined);
          setAsked(false);
          const kept = Object.fromEntries(Object.entries(value).filter(([name]) => mine.has(name as keyof T)));
          setEdited({ value: { ...stored, ...kept }, base: stored });
        },
      }
    : null;
  return {
    value,
    change: (part) => replace({ ...value, ...part }),
    replace,
    isDirty,
    meanwhile,
    error: isStale ? undefined : error,
    isSaving,
    reset,
    save: async (note) => {
      if (meanwhile) {
        meanwhile.ask();
        return false;
      }
      setSaving(true);
      const { error: failure } = await save(value, version, note);
      setSaving(false);
      setError(failure);
      if (!failure) setEdited(null);
      if (isConflict(failure)) {
        // The newer version is fetched, and the choice is asked for.
        refreshShown();
        setAsked(true);
      }
      return !failure;
    },
  };
}
