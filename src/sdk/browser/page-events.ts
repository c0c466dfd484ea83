type PageListeners = { readonly [Name in keyof WindowEventMap]?: (event: WindowEventMap[Name]) => void };

/** Listens to page lifecycle events until the signal aborts. */
export function listenToPage(signal: AbortSignal, listeners: PageListeners): void {
  for (const [name, listener] of Object.entries(listeners))
    addEventListener(name, listener as EventListener, { signal });
}
