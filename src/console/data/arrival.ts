import { useMatch } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** The element that had focus when navigation began; null if none is pending or the new page has taken the focus. */
let left: { focus: Element | null } | null = null;

/** Called on navigation within the open console. */
export function leavePage(): void {
  left = { focus: document.activeElement };
}

/**
 * For a page's heading: takes focus after navigation, so that the next Tab goes into the page and screen readers
 * announce it. Focus that has already moved to a field stays there.
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
