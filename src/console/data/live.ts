import { createClient } from 'graphql-sse';
import { useEffect } from 'react';
import { ProjectChangedDocument, type ProjectChangedSubscription } from '#documents';
import { refreshShown } from './freshness.js';

/** A burst of changes is one refresh; a busy project asks for what is shown about once a second. */
const REFRESH_AT_MOST_EVERY_MS = 900;
const SOONEST_RETURN_MS = 1_000;
const LONGEST_RETURN_MS = 30_000;

let refreshedAt = 0;
let due: ReturnType<typeof setTimeout> | undefined;

/** What is on the screen is asked again: at once, and once more at the end of a burst. */
function refreshSoon(): void {
  if (due !== undefined) return;
  const wait = Math.max(0, refreshedAt + REFRESH_AT_MOST_EVERY_MS - Date.now());
  due = setTimeout(() => {
    due = undefined;
    refreshedAt = Date.now();
    refreshShown();
  }, wait);
}

/**
 * Listens to one project until the returned function is called. Browsers open six connections to a host without TLS, for all of their
 * tabs: a project takes one, and only while its tab is visible. A stream that breaks comes back, later each time, and what was missed is asked for.
 */
function listenTo(projectId: string): () => void {
  let stop: (() => void) | null = null;
  let returning: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isOver = false;

  const open = (): void => {
    const client = createClient({
      url: '/graphql/stream',
      headers: { 'apollo-require-preflight': 'console' },
      retryAttempts: 0,
    });
    stop = () => client.dispose();
    const comeBack = (): void => {
      if (stop === null) return;
      close();
      // Spread, so that the tabs of a team do not return in the same moment.
      const wait = Math.min(LONGEST_RETURN_MS, SOONEST_RETURN_MS * 2 ** failures) * (0.5 + Math.random() / 2);
      failures += 1;
      returning = setTimeout(() => {
        open();
        // Says that the session is over, where that was the reason.
        refreshSoon();
      }, wait);
    };
    client.subscribe<ProjectChangedSubscription>(
      { query: ProjectChangedDocument.toString(), variables: { projectId } },
      {
        next: ({ data }) => {
          failures = 0;
          if (data?.projectChanged) refreshSoon();
        },
        error: comeBack,
        complete: comeBack,
      },
    );
  };
  const close = (): void => {
    const end = stop;
    stop = null;
    clearTimeout(returning);
    end?.();
  };
  const follow = (): void => {
    close();
    if (!isOver && document.visibilityState === 'visible') open();
  };
  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', follow);
    close();
  };
}

/** Keeps the pages of a project up to date with what others change. */
export function useLiveProject(projectId: string): void {
  useEffect(() => listenTo(projectId), [projectId]);
}
