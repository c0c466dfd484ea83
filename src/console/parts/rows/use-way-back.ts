import { useElementScrollRestoration } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Pages } from '../../data/use-pages.js';

/** Signs that the user is doing something else. */
const GOES_ON = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Restores the scroll position of a list after Back or a reload: loads pages until that position exists.
 *
 * @param frame the scrolling element; null while not rendered
 * @param name its `data-scroll-restoration-id`; the window's by default
 */
export function useWayBack(
  { question, rows, hasMore, isBusy, loadMore }: Pages<unknown>,
  frame: Element | null,
  name?: string,
): void {
  const left = useElementScrollRestoration(name === undefined ? { getElement: () => window } : { id: name });
  const aim = useRef(left?.scrollY ?? 0);
  const asked = useRef(question);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each loaded page makes the list longer
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
