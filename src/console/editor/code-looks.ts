import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { STYLE_NONCE } from '../app/style-nonce.js';

const looks = EditorView.theme({
  '&': { fontSize: '0.75rem', backgroundColor: 'var(--ground)', color: 'inherit' },
  '.cm-content': { fontFamily: 'var(--mantine-font-family-monospace)', caretColor: 'currentColor' },
  '.cm-gutters': { backgroundColor: 'var(--ground)', color: 'var(--ink-soft)', border: 'none' },
  '.cm-deletedChunk': { backgroundColor: 'color-mix(in srgb, var(--bad) 14%, transparent)' },
  // The colours of the code would be too faint on red.
  '.cm-deletedChunk span': { color: 'var(--ink) !important' },
  '.cm-changedLine, .cm-insertedLine': {
    backgroundColor: 'color-mix(in srgb, var(--good) 14%, transparent) !important',
  },
  // CodeMirror's own style is white on a dark page, and few fonts have the symbols it puts around its label.
  '.cm-collapsedLines': { color: 'var(--ink-soft)', background: 'var(--hover)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
  '.cm-cursor': { borderLeftColor: 'currentColor' },
});

const inks = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink-soft)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
]);

/** Shared by every editor in the console: colours, label, line wrapping, and the nonce for its styles. */
export const codeLooks = (label: string) => [
  EditorView.cspNonce.of(STYLE_NONCE),
  looks,
  syntaxHighlighting(inks),
  syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label }),
];
