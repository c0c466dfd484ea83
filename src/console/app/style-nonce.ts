/** What the page's policy asks of every style element that a library writes (Mantine, the scroll lock of dialogs, CodeMirror). */
export const STYLE_NONCE = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? '';

// The scroll lock takes it from the variable that webpack gives its own style elements.
Object.assign(globalThis, { __webpack_nonce__: STYLE_NONCE });
