import { useMatch } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** Where the focus was when another page was asked for; null while nobody has asked, or once that page has it. */
let left: { focus: Element | null } | null = null;

/** Called when somebody goes from one page to another within the open console. */
export function leavePage(): void {
  left = { focus: document.activeElement };
}

/**
 * For the heading of a page: takes the focus when somebody comes to it from another page, so that the next Tab leads into it and screen readers
 * say where one is. Whoever has gone on to a field meanwhile stays there.
 */
export function useArrival<Element extends HTMLElement>(): RefObject<Element | null> {
  const arrived = useRef<Element>(null);
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page of the same kind keeps its heading
  useEffect(() => {
    if (!left || !arrived.current) return;
    const { focus } = left;
    left = null;
    const now = document.activeElement;
    if (now === null || now === document.body || now === focus) arrived.current.focus({ preventScroll: true });
  }, [pathname]);
  return arrived;
}
