import { useEffect } from 'react';
import { ProjectChangedDocument } from '#documents';
import { refreshShown, streamClosed, streamOpened } from './freshness.js';
import { useIsCutOff } from './line.js';
import { listen } from './stream.js';

/** A burst of changes causes one refresh; a busy project refreshes the screen about once a second. */
const REFRESH_AT_MOST_EVERY_MS = 900;

let refreshedAt = 0;
let due: ReturnType<typeof setTimeout> | undefined;

/** Refetches what is on screen at once, and again at the end of a burst. */
export function refreshSoon(): void {
  if (due !== undefined) return;
  const wait = Math.max(0, refreshedAt + REFRESH_AT_MOST_EVERY_MS - Date.now());
  due = setTimeout(() => {
    due = undefined;
    refreshedAt = Date.now();
    refreshShown();
  }, wait);
}

interface Live {
  projectId: string;
  /** Whether its page is on screen. */
  isShown: boolean;
  stop(): void;
}

/** The stream of the project on screen, or of the one that the console opens with. */
let live: Live | null = null;

function begin(projectId: string): Live {
  const opened: Live = {
    projectId,
    isShown: false,
    stop: listen(
      ProjectChangedDocument.toString(),
      { projectId },
      { onData: refreshSoon, onOpen: streamOpened, onClose: streamClosed, onRefused: () => refused(opened) },
    ),
  };
  return opened;
}

/** Before its page is there, the page may never come: the session or the project may be gone. */
function refused(opened: Live): void {
  if (opened.isShown) {
    refreshSoon();
    return;
  }
  opened.stop();
  if (live === opened) live = null;
}

/** Opens a project's stream ahead of its page, so that what the page queries once it is open needs no second query. */
export function openLive(projectId: string): void {
  if (live === null) live = begin(projectId);
  else if (live.projectId !== projectId) streamClosed();
}

/** Keeps a project's pages up to date with others' changes. */
export function useLiveProject(projectId: string): void {
  useEffect(() => {
    if (live?.projectId !== projectId) {
      live?.stop();
      live = begin(projectId);
    }
    const shown = live;
    shown.isShown = true;
    return () => {
      shown.stop();
      if (live === shown) live = null;
    };
  }, [projectId]);
  useLookWhileCutOff();
}

const LOOK_FOR_SERVER_EVERY_MS = 5_000;

/** A request can fail while the stream stays open, which then doesn't report that the server is back. */
function useLookWhileCutOff(): void {
  const isCutOff = useIsCutOff();
  useEffect(() => {
    if (!isCutOff) return undefined;
    const look = () => {
      if (document.visibilityState === 'visible') refreshSoon();
    };
    const looking = setInterval(look, LOOK_FOR_SERVER_EVERY_MS);
    window.addEventListener('online', look);
    return () => {
      clearInterval(looking);
      window.removeEventListener('online', look);
    };
  }, [isCutOff]);
}

const LOOK_AFTER_MS = { least: 1_000, most: 15_000 };

/**
 * For rows whose completion is not reported: refetches the screen when one is due, and less often the longer it
 * takes.
 *
 * @param dueAt when a row is due, or since when it has been; null for a row that isn't waiting. Define it at module
 * level, not on each render
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
