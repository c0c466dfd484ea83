import { useEffect } from 'react';
import { ProjectChangedDocument } from '#documents';
import { refreshShown } from './freshness.js';
import { useStream } from './stream.js';

/** A burst of changes is one refresh; a busy project asks for what is shown about once a second. */
const REFRESH_AT_MOST_EVERY_MS = 900;

let refreshedAt = 0;
let due: ReturnType<typeof setTimeout> | undefined;

/** What is on the screen is asked for again: at once, and once more at the end of a burst. */
export function refreshSoon(): void {
  if (due !== undefined) return;
  const wait = Math.max(0, refreshedAt + REFRESH_AT_MOST_EVERY_MS - Date.now());
  due = setTimeout(() => {
    due = undefined;
    refreshedAt = Date.now();
    refreshShown();
  }, wait);
}

/** What changed before the stream was open is not reported. */
const REFRESHING = { onData: refreshSoon, onOpen: refreshSoon, onRefused: refreshSoon };

/** Keeps the pages of a project up to date with what others change. */
export function useLiveProject(projectId: string): void {
  useStream(ProjectChangedDocument, { projectId }, REFRESHING);
}

const LOOK_AFTER_MS = { least: 1_000, most: 15_000 };

/**
 * For rows whose end nobody tells a page of: what is on the screen is asked for again when one of them is due, and less often the longer it has been.
 *
 * @param dueAt when a row is due, or since when it has been; null for one that waits for nothing. Of the module, not made anew with each draw
 */
export function useLookWhenDue<Row>(rows: readonly Row[], dueAt: (row: Row) => string | null): void {
  useEffect(() => {
    const waits = rows.flatMap((row) => {
      const instant = dueAt(row);
      return instant === null ? [] : [Math.abs(Date.parse(instant) - Date.now())];
    });
    if (waits.length === 0) return undefined;
    const { least, most } = LOOK_AFTER_MS;
    const look = setTimeout(refreshSoon, Math.min(most, Math.max(least, Math.min(...waits))));
    return () => clearTimeout(look);
  }, [rows, dueAt]);
}
