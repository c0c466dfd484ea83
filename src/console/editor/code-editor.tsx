import { codeLooks } from './code-looks.js';
import './editor.css';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonLanguage } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { Decoration, EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { parsedOr } from '../parts/fields/typed-values.js';
import { refusedPlaces } from './refused-places.js';

/** Longer texts take longer to parse than people to type. */
const MOST_MARKED = 100_000;
const FAULTY = Decoration.line({ class: 'cm-faulty' });

interface CodeEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  disabled: boolean;
  /** What is wrong with it. Lines that the server's refusal names are marked. */
  error: string | undefined;
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

/** The places that a refusal names. It is about JSON: anything else is refused before it is sent. */
const placesIn = ({ doc }: EditorState, error: string | undefined): number[] =>
  error === undefined || doc.length > MOST_MARKED || parsedOr(doc.toString(), undefined) === undefined
    ? []
    : refusedPlaces(doc.toString(), error);

const refusedLines = ({ state }: EditorView, error: string | undefined) =>
  Decoration.set(
    [...new Set(placesIn(state, error).map((at) => state.doc.lineAt(at).from))].map((at) => FAULTY.range(at)),
  );

/** CodeMirror holds the text outside React; a new value from outside replaces it only if it differs. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function CodeEditor({ label, value, onChange, disabled, error }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const current = useRef({ value, onChange, error });
  current.current = { value, onChange, error };
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
        EditorView.decorations.of((view) => refusedLines(view, current.current.error)),
        EditorView.contentAttributes.of(() => ({ 'aria-invalid': String(current.current.error !== undefined) })),
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
  // Attributes and marks are computed again with each update; the cursor waits at the first line to correct.
  useEffect(() => {
    const view = editor.current;
    const [first] = view ? placesIn(view.state, error) : [];
    view?.dispatch(first === undefined ? {} : { selection: { anchor: first }, scrollIntoView: true });
  }, [error]);
  return <div ref={place} className="code-frame" data-invalid={error !== undefined || undefined} />;
}
