import type { Found } from './finder-actions.js';

/** The elements that count as rows. */
const ROWS = '[role=row], tr, .entry, details';

export const focusedRow = (): Element | null => document.activeElement?.closest(ROWS) ?? null;

/**
 * The actions of the page's object and of a row, taken from their buttons. Skips buttons that the viewer may not use.
 * Each finder line presses its button, so confirmations work the same.
 */
export function offeredHere(row: Element | null): Found[] {
  const rowName = row?.querySelector('strong, .mono, .rows-link, td')?.textContent ?? '';
  const object = document.querySelector('.sheet-crumb') ? (document.querySelector('h1.title')?.textContent ?? '') : '';
  return [
    ...offers(row, (button) => button.getAttribute('aria-label') ?? `${button.textContent} ${rowName}`),
    ...(object ? offers(document.querySelector('.sheet-head'), ({ textContent }) => `${textContent} ${object}`) : []),
  ];
}

function offers(within: Element | null, labelOf: (button: HTMLElement) => string): Found[] {
  return [...(within?.querySelectorAll<HTMLElement>('button:not([disabled], [aria-disabled=true])') ?? [])].map(
    (button) => {
      const label = labelOf(button).trim();
      return { id: `here ${label}`, label, run: () => button.click() };
    },
  );
}
