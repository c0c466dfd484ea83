import { type RefCallback, useEffect, useState } from 'react';

/**
 * Keeps focus in a dialog while the focused button can't be used, such as during a request, and gives it back
 * afterwards. Browsers would move it to the page beneath, where the next Tab would continue.
 *
 * @param isTop whether no other dialog is on top
 * @returns the `ref` for the element around the dialog
 */
export function useKeptFocus(isTop: boolean): RefCallback<HTMLElement> {
  const [root, setRoot] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!root || !isTop) return undefined;
    let last: Element | null = root.contains(document.activeElement) ? document.activeElement : null;
    const dialog = () => root.querySelector<HTMLElement>('[role=dialog]');
    const remember = ({ target }: FocusEvent) => {
      if (target !== dialog()) last = target as Element;
    };
    const keep = () => {
      const now = document.activeElement;
      const isLost = now === document.body || now === dialog() || now?.matches(':disabled');
      if (!isLost || !(last instanceof HTMLElement) || !last.isConnected) return;
      (last.matches(':disabled') ? dialog() : last)?.focus({ preventScroll: true });
    };
    const changes = new MutationObserver(keep);
    changes.observe(root, { subtree: true, attributeFilter: ['disabled'] });
    root.addEventListener('focusin', remember);
    return () => {
      changes.disconnect();
      root.removeEventListener('focusin', remember);
    };
  }, [root, isTop]);
  return setRoot;
}
