import { listenToPage } from './page-events.js';

/** Records what a person does on the page, without any text from it, until the signal aborts. */
export function watchPage(signal: AbortSignal, leave: (category: string, message: string) => void): void {
  addEventListener('click', ({ target }) => target instanceof Element && leave('click', selectorOf(target)), {
    signal,
    capture: true,
  });
  const moved = (): void => leave('navigation', location.pathname);
  listenToPage(signal, { popstate: moved });
  (globalThis as { navigation?: EventTarget }).navigation?.addEventListener('navigatesuccess', moved, { signal });
}

function selectorOf(element: Element): string {
  const { id, classList, localName } = element;
  return [localName + (id && `#${id}`), ...classList].join('.').slice(0, 200);
}
