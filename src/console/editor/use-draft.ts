import { useBlocker } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { CombinedError } from 'urql';
import { isConflict } from '../data/failures.js';
import { refreshShown } from '../data/freshness.js';
import type { Changed } from '../data/use-document.js';
import { useUnsaved } from '../parts/page-tabs.js';
import { changedOf } from './changed.js';
import { type FieldMerge, mergeOf } from './merge.js';
import { useNewer } from './use-newer.js';

interface DraftOptions<T extends object, Input extends Record<keyof T, unknown>> {
  /** What the server has now. */
  stored: T;
  version: number;
  /** Each field as the server takes it. */
  input: (value: T) => Input;
  /** Each field as a person reads it, where that is something else; two drafts are compared by these. */
  parts?: (value: T) => Readonly<Record<keyof T, unknown>>;
  /** Stores what was changed if the version is still this one; the rest stays as it is there. */
  save: (changed: Partial<Input>, expectedVersion: number, note: string) => Promise<Changed<unknown>>;
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
  reset: () => void;
}

interface Edited<T> {
  value: T;
  /** What the editing began with. */
  base: T;
  /** What was stored of it while more was typed, until `stored` has it. */
  saved?: T;
}

/**
 * What is being edited of an object with versions. Nothing of others is overwritten unseen: the version that one began with goes along,
 * and when it is no longer the newest, one chooses field by field. Leaving the page with unsaved changes asks first.
 */
export function useDraft<T extends object, Input extends Record<keyof T, unknown>>({
  stored,
  version,
  input,
  parts = input,
  save,
}: DraftOptions<T, Input>): Draft<T> {
  const [edited, setEdited] = useState<Edited<T> | null>(null);
  const [error, setError] = useState<CombinedError>();
  const [isSaving, setSaving] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const newerThan = useNewer({ version, stored });
  const text = (of: T): string => JSON.stringify(parts(of));
  const value = edited?.value ?? stored;
  const isDirty = edited !== null && text(edited.value) !== text(edited.saved ?? edited.base);
  const isNewer = edited !== null && text(edited.base) !== text(stored);
  const isStale = isDirty && isNewer && !edited.saved;
  if (isNewer && edited.saved) {
    const typedSince = Object.keys(changedOf<object>(parts(edited.saved), parts(edited.value)));
    const kept = Object.entries(edited.value).filter(([name]) => typedSince.includes(name));
    setEdited({ value: { ...stored, ...Object.fromEntries(kept) }, base: stored });
  }

  const replace = useCallback(
    (next: T) => setEdited((before) => (before ? { ...before, value: next } : { value: next, base: stored })),
    [stored],
  );
  const reset = () => {
    setEdited(null);
    setError(undefined);
    setAsked(false);
  };
  useUnsaved(isDirty);
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && current.pathname !== next.pathname && !window.confirm('Leave without saving your changes?'),
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
      const base = edited?.base ?? stored;
      const changed = Object.keys(changedOf<object>(parts(base), parts(value)));
      const sent = Object.entries(input(value)).filter(([name]) => changed.includes(name));
      const saveOver = (expected: number) => save(Object.fromEntries(sent) as Partial<Input>, expected, note);
      let { error: failure } = await saveOver(version);
      if (isConflict(failure)) {
        refreshShown();
        const newer = await newerThan(version);
        // Where none of its fields is another one, as after a press on a switch beside the form, there is nothing to choose.
        if (newer && text(newer.stored) === text(base)) ({ error: failure } = await saveOver(newer.version));
        setAsked(isConflict(failure));
      }
      setSaving(false);
      setError(failure);
      if (!failure) setEdited((now) => (now && text(now.value) !== text(value) ? { ...now, saved: value } : null));
      return !failure;
    },
  };
}
