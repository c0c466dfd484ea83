import { createClient } from 'graphql-sse';
import { useEffect, useRef, useState } from 'react';
import { sessionHeaders } from './session.js';
import type { TypedDocument } from './typed-document.js';

const SOONEST_RETURN_MS = 1_000;
const LONGEST_RETURN_MS = 30_000;
/** How long an open stream may take to report a refusal. */
const REFUSED_WITHIN_MS = 1_000;

interface Listener<Data> {
  onData(data: Data): void;
  /** The stream is open, or open again. Earlier events are not reported and can be queried. */
  onOpen?(): void;
  onClose?(): void;
  /** The stream could not be opened, or opened only to refuse: a query now shows whether the session has ended. */
  onRefused?(): void;
}

/**
 * Listens to a subscription until the returned function is called. Without TLS, browsers allow six connections per
 * host across all tabs, so a subscription holds one only while its tab is visible. A stream that breaks reconnects;
 * after refusals it waits longer each time.
 */
export function listen<Data>(query: string, variables: Record<string, unknown>, listener: Listener<Data>): () => void {
  let stop: (() => void) | null = null;
  let returning: ReturnType<typeof setTimeout> | undefined;
  let opening: ReturnType<typeof setTimeout> | undefined;
  let refusals = 0;
  let isOver = false;

  const open = (): void => {
    let wasOpened = false;
    const client = createClient({
      url: '/graphql/stream',
      headers: sessionHeaders,
      retryAttempts: 0,
      on: {
        connected: () => {
          wasOpened = true;
          if (refusals === 0) listener.onOpen?.();
          else opening = setTimeout(() => listener.onOpen?.(), REFUSED_WITHIN_MS);
        },
      },
    });
    const end = () => client.dispose();
    stop = end;
    const comeBack = (): void => {
      if (stop !== end) return;
      close();
      if (wasOpened) refusals = 0;
      else listener.onRefused?.();
      if (isOver) return;
      // Randomized so that a team's tabs don't all reconnect at once.
      const wait = Math.min(LONGEST_RETURN_MS, SOONEST_RETURN_MS * 2 ** refusals) * (0.5 + Math.random() / 2);
      if (!wasOpened) refusals += 1;
      returning = setTimeout(open, wait);
    };
    client.subscribe<Data>(
      { query, variables },
      {
        next: ({ data }) => {
          wasOpened = Boolean(data);
          if (data) listener.onData(data);
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
    clearTimeout(opening);
    end?.();
    if (end) listener.onClose?.();
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

/** Listens to a subscription while the component is mounted and `variables` are given; returns whether the stream is open. */
export function useStream<Data, Variables extends Record<string, unknown>>(
  document: TypedDocument<Data, Variables>,
  variables: Variables | null,
  listener: Pick<Listener<Data>, 'onData' | 'onOpen' | 'onRefused'>,
): boolean {
  const [isOpen, setOpen] = useState(false);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  const query = document.toString();
  const asked = variables && JSON.stringify(variables);
  useEffect(() => {
    if (asked === null) return undefined;
    return listen<Data>(query, JSON.parse(asked), {
      onData: (data) => latest.current.onData(data),
      onOpen: () => {
        setOpen(true);
        latest.current.onOpen?.();
      },
      onClose: () => setOpen(false),
      onRefused: () => latest.current.onRefused?.(),
    });
  }, [query, asked]);
  return isOpen;
}
