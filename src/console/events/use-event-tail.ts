import { useState } from 'react';
import { EventIngestedDocument, type EventRowFragment } from '#documents';
import { refreshSoon } from '../data/live.js';
import { useScope } from '../data/scope.js';
import { useStream } from '../data/stream.js';

/** More rows would slow the page down. */
export const LONGEST_TAIL = 200;

interface Tail {
  /** Newest first. */
  arrived: readonly EventRowFragment[];
  /** Events that arrived while paused, newest first. */
  waiting: readonly EventRowFragment[];
  /** Events that the stream skipped, of any name. */
  leftOut: number;
}

const EMPTY: Tail = { arrived: [], waiting: [], leftOut: 0 };

/**
 * The environment's events as they are ingested, while the component is mounted. Events missed while the stream was
 * down appear in the list, which is refetched.
 */
export function useEventTail(eventName: string | null) {
  const { projectId, environment } = useScope();
  const [isPaused, setPaused] = useState(false);
  const [tail, setTail] = useState(EMPTY);
  const isOpen = useStream(
    EventIngestedDocument,
    { projectId, environment },
    {
      onOpen: refreshSoon,
      onData: ({ eventIngested }) => {
        if (!eventIngested) return;
        const { event, leftOut } = eventIngested;
        const place = isPaused ? 'waiting' : 'arrived';
        setTail((before) => ({
          ...before,
          leftOut: before.leftOut + leftOut,
          ...(eventName === null || event.eventName === eventName
            ? { [place]: [event, ...before[place]].slice(0, LONGEST_TAIL) }
            : {}),
        }));
      },
    },
  );
  return {
    ...tail,
    isOpen,
    isPaused,
    pause: () => setPaused(true),
    goOn: () => {
      setPaused(false);
      setTail(({ arrived, waiting, leftOut }) => ({
        arrived: [...waiting, ...arrived].slice(0, LONGEST_TAIL),
        waiting: [],
        leftOut,
      }));
    },
  };
}
