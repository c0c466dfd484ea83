/**
 * Adds the nonce that the page's policy requires to every style element that a library writes (Mantine, the scroll
 * lock of dialogs, CodeMirror).
 */
export const STYLE_NONCE = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? '';

// The scroll lock reads it from the variable that webpack uses for its own style elements.
Object.assign(globalThis, { __webpack_nonce__: STYLE_NONCE });
