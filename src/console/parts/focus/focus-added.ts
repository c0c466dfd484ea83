import type { MouseEvent } from 'react';
import { flushSync } from 'react-dom';

/**
 * For the button that adds a part to a list in its section: adds it and focuses its first field, where work continues.
 *
 * @param part the selector of the list's parts
 */
export function focusAdded({ currentTarget: button }: MouseEvent, part: string, add: () => void): void {
  const section = button.closest('section');
  flushSync(add);
  const field = [...(section?.querySelectorAll(part) ?? [])].at(-1)?.querySelector('input');
  field?.focus();
  field?.select();
}
