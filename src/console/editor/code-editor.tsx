import { codeLooks } from './code-looks.js';
import './editor.css';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';

interface CodeEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  disabled: boolean;
}

/** CodeMirror holds the text outside React; a new value from outside replaces it only if it differs. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function CodeEditor({ label, value, onChange, disabled }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const current = useRef({ value, onChange });
  current.current = { value, onChange };
  useEffect(() => {
    const view = new EditorView({
      parent: place.current as HTMLDivElement,
      doc: current.current.value,
      extensions: [
        ...codeLooks(label),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        json(),
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
  return <div ref={place} className="code-frame" />;
}
