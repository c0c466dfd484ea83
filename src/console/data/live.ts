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
