/** Events of the window, and one of the document that bubbles to it. */
type PageEvents = WindowEventMap & Pick<DocumentEventMap, 'visibilitychange'>;
type PageListeners = { readonly [Name in keyof PageEvents]?: (event: PageEvents[Name]) => void };

/** Listens to page lifecycle events until the signal aborts. */
export function listenToPage(signal: AbortSignal, listeners: PageListeners): void {
  for (const [name, listener] of Object.entries(listeners))
    addEventListener(name, listener as EventListener, { signal });
}
