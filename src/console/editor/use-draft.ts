import { useBlocker } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CombinedError } from 'urql';
import { fieldFaults, isConflict } from '../data/failures.js';
import { refreshShown } from '../data/freshness.js';
import type { Changed } from '../data/use-document.js';
import { useUnsaved } from '../parts/page-tabs.js';
import { changedOf } from './changed.js';
import { type Fault, type FaultAt, faultAtIn, faultIn } from './faults.js';
import { type FieldMerge, mergeOf } from './merge.js';
import { useNewer } from './use-newer.js';

interface DraftOptions<T extends object, Input extends Record<keyof T, unknown>> {
  /** The server's current state. */
  stored: T;
  version: number;
  /** Each field in the server's input format. */
  input: (value: T) => Input;
  /** Each field in readable form, if different; used to compare drafts. */
  parts?: (value: T) => Readonly<Record<keyof T, unknown>>;
  /** Saves the changed fields if the version is still current; other fields stay as they are on the server. */
  save: (changed: Partial<Input>, expectedVersion: number, note: string) => Promise<Changed<unknown>>;
}

/** Someone saved another version during editing. */
export interface Meanwhile<T> {
  fields: FieldMerge<keyof T & string>[];
  /** Whether the merge dialog is open. */
  isAsked: boolean;
  ask: () => void;
  later: () => void;
  /** Continues with these fields of mine and the other fields of theirs. */
  merge: (mine: ReadonlySet<keyof T>) => void;
}

/** Refused: the server named what to correct. Failed: anything else, also if the user has to merge first. */
type SaveOutcome = 'saved' | 'refused' | 'failed';

export interface Draft<T> {
  value: T;
  change: (part: Partial<T>) => void;
  replace: (value: T) => void;
  isDirty: boolean;
  meanwhile: Meanwhile<T> | null;
  error: CombinedError | undefined;
  faultAt: FaultAt;
  isSaving: boolean;
  save: (note: string) => Promise<SaveOutcome>;
  reset: () => void;
}

interface Refusal {
  error: CombinedError;
  faults: readonly Fault[];
}

const NO_FAULTS: readonly Fault[] = [];

interface Edited<T> {
  value: T;
  /** The state when editing began. */
  base: T;
  /** What was saved while typing continued, until `stored` includes it. */
  saved?: T;
}

/**
 * Edits to an object with versions. Never overwrites others' changes unseen: it sends the version it started from,
 * and if that is no longer the newest, the user merges field by field. Asks before leaving the page with unsaved
 * changes.
 */
export function useDraft<T extends object, Input extends Record<keyof T, unknown>>({
  stored,
  version,
  input,
  parts = input,
  save,
}: DraftOptions<T, Input>): Draft<T> {
  const [edited, setEdited] = useState<Edited<T> | null>(null);
  const [refusal, setRefusal] = useState<Refusal>();
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
    setRefusal(undefined);
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
          setRefusal(undefined);
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
    error: isStale ? undefined : refusal?.error,
    faultAt: faultAtIn((!isStale && refusal?.faults) || NO_FAULTS),
    isSaving,
    reset,
    save: async (note) => {
      if (meanwhile) {
        meanwhile.ask();
        return 'failed';
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
        // If none of its fields differ, as after toggling a switch beside the form, there is nothing to merge.
        if (newer && text(newer.stored) === text(base)) ({ error: failure } = await saveOver(newer.version));
        setAsked(isConflict(failure));
      }
      if (!failure) {
        setSaving(false);
        setRefusal(undefined);
        setEdited((now) => (now && text(now.value) !== text(value) ? { ...now, saved: value } : null));
        return 'saved';
      }
      const faults = Object.entries(fieldFaults(failure)).map((each) => faultIn(value, ...each));
      // The fields are marked by the time the caller looks for them.
      flushSync(() => {
        setSaving(false);
        setRefusal({ error: failure, faults });
      });
      return faults.length > 0 ? 'refused' : 'failed';
    },
  };
}
