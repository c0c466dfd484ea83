import { useEffect } from 'react';

/**
 * When a focused element disappears, such as a button that has done its work, moves focus to its table or the page
 * heading. Browsers would reset it to the start of the document.
 */
export function useFoundFocus(): void {
  useEffect(() => {
    const page = document.getElementById('page');
    let last: { focus: Element; table: HTMLElement | null } | null = null;
    const remember = ({ target }: FocusEvent) => {
      const focus = target as Element;
      if (page?.contains(focus)) last = { focus, table: focus.closest<HTMLElement>('.rows') };
      else if (!focus.closest('[role=dialog]')) last = null;
    };
    const forget = () => {
      last = null;
    };
    const find = () => {
      if (!last || last.focus.isConnected || document.activeElement !== document.body) return;
      const place = last.table?.isConnected ? last.table : page?.querySelector('h1');
      last = null;
      place?.focus({ preventScroll: true });
    };
    const changes = new MutationObserver(find);
    if (page) changes.observe(page, { subtree: true, childList: true });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget);
    return () => {
      changes.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
}
