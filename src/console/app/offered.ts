import type { Found } from './finder-actions.js';

/** What a row may be. */
const ROWS = '[role=row], tr, .entry, details';

export const focusedRow = (): Element | null => document.activeElement?.closest(ROWS) ?? null;

/**
 * What the buttons do to the object that the page shows, and to a row. A button that the viewer may not use is left
 * out; each line of the finder presses its button, so what a button asks, the finder asks.
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
