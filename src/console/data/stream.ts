import { createClient } from 'graphql-sse';
import { useEffect, useRef, useState } from 'react';
import type { TypedDocument } from './typed-document.js';

const SOONEST_RETURN_MS = 1_000;
const LONGEST_RETURN_MS = 30_000;
/** By then an open stream has said that it refuses what was asked for, if it does. */
const REFUSED_WITHIN_MS = 1_000;

interface Listener<Data> {
  onData(data: Data): void;
  /** It is open, or open again: what came before is not reported, and may be asked for. */
  onOpen?(): void;
  onClose?(): void;
  /** It could not be opened, or was opened to say no: a question now says whether the session is over. */
  onRefused?(): void;
}

/**
 * Listens to a subscription until the returned function is called. Browsers open six connections to a host without TLS, for all of their
 * tabs: a subscription takes one, and only while its tab is visible. A stream that breaks comes back, and one that is refused later each time.
 */
function listen<Data>(query: string, variables: Record<string, unknown>, listener: Listener<Data>): () => void {
  let stop: (() => void) | null = null;
  let returning: ReturnType<typeof setTimeout> | undefined;
  let opening: ReturnType<typeof setTimeout> | undefined;
  let refusals = 0;
  let isOver = false;

  const open = (): void => {
    let wasOpened = false;
    const client = createClient({
      url: '/graphql/stream',
      headers: { 'apollo-require-preflight': 'console' },
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
      // Spread, so that the tabs of a team do not return in the same moment.
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

/** Listens to a subscription while the part of the page is there and `variables` are given; says whether the stream is open. */
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
