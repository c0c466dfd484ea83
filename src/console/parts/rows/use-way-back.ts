import { useElementScrollRestoration } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Pages } from '../../data/use-pages.js';

/** What somebody does who goes elsewhere meanwhile. */
const GOES_ON = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Whoever comes back to a list, by the browser's way back or by loading the page anew, is where they were: pages are read until that place is
 * there.
 *
 * @param frame what scrolls; null while it is not drawn
 * @param name that of its `data-scroll-restoration-id`; of the window unless given
 */
export function useWayBack(
  { question, rows, hasMore, isBusy, loadMore }: Pages<unknown>,
  frame: Element | null,
  name?: string,
): void {
  const left = useElementScrollRestoration(name === undefined ? { getElement: () => window } : { id: name });
  const aim = useRef(left?.scrollY ?? 0);
  const asked = useRef(question);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that has come makes the list longer
  useLayoutEffect(() => {
    if (asked.current !== question) {
      asked.current = question;
      aim.current = left?.scrollY ?? 0;
    }
    if (!frame || isBusy || aim.current === 0) return;
    const isThere = frame.scrollHeight - frame.clientHeight >= aim.current;
    if (!isThere && hasMore) {
      loadMore();
      return;
    }
    frame.scrollTop = aim.current;
    aim.current = 0;
  }, [question, frame, rows, hasMore, isBusy, loadMore]);
  useEffect(() => {
    const stay = () => {
      aim.current = 0;
    };
    for (const sign of GOES_ON) window.addEventListener(sign, stay);
    return () => {
      for (const sign of GOES_ON) window.removeEventListener(sign, stay);
    };
  }, []);
}
