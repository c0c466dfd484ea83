import { codeLooks } from './code-looks.js';
import './editor.css';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonLanguage } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { Decoration, EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { parsedOr } from '../parts/fields/typed-values.js';

/** Longer texts take longer to parse than people to type. */
const MOST_MARKED = 100_000;
const FAULTY = Decoration.line({ class: 'cm-faulty' });

interface CodeEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  disabled: boolean;
  isInvalid: boolean;
}

/** Marks the first line where the text stops being JSON. */
const faultyLine = EditorView.decorations.compute(['doc'], ({ doc }) => {
  const text = doc.toString();
  if (text === '' || text.length > MOST_MARKED || parsedOr(text, undefined) !== undefined) return Decoration.none;
  let at = -1;
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError && at < 0) at = from;
      return at < 0;
    },
  });
  return at < 0 ? Decoration.none : Decoration.set(FAULTY.range(doc.lineAt(at).from));
});

/** CodeMirror holds the text outside React; a new value from outside replaces it only if it differs. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function CodeEditor({ label, value, onChange, disabled, isInvalid }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const current = useRef({ value, onChange, isInvalid });
  current.current = { value, onChange, isInvalid };
  useEffect(() => {
    const view = new EditorView({
      parent: place.current as HTMLDivElement,
      doc: current.current.value,
      extensions: [
        ...codeLooks(label),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        json(),
        faultyLine,
        EditorView.contentAttributes.of(() => ({ 'aria-invalid': String(current.current.isInvalid) })),
        EditorState.readOnly.of(disabled),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) current.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    editor.current = view;
    return () => view.destroy();
  }, [label, disabled]);
  useEffect(() => {
    const view = editor.current;
    const text = view?.state.doc.toString();
    if (view && text !== value) view.dispatch({ changes: { from: 0, to: text?.length ?? 0, insert: value } });
  }, [value]);
  // The attributes are read again with each update.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor reads it itself
  useEffect(() => editor.current?.dispatch({}), [isInvalid]);
  return <div ref={place} className="code-frame" data-invalid={isInvalid || undefined} />;
}
