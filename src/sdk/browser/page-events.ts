type PageListeners = { readonly [Name in keyof WindowEventMap]?: (event: WindowEventMap[Name]) => void };

/** Listens to what happens to the page until the signal comes. */
export function listenToPage(signal: AbortSignal, listeners: PageListeners): void {
  for (const [name, listener] of Object.entries(listeners))
    addEventListener(name, listener as EventListener, { signal });
}
