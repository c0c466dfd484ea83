import { codeLooks } from './code-looks.js';
import './editor.css';
import { json } from '@codemirror/lang-json';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';

/** Names in the other direction must not reorder the code around them. */
const isolation = EditorView.theme({ '.cm-line span, .cm-deletedLine span': { unicodeBidi: 'isolate' } });

/** CodeMirror renders into its own element, outside React. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function CodeDiff({ before, after }: { before: string; after: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: place.current as HTMLDivElement,
      doc: after,
      extensions: [
        ...codeLooks('Changes'),
        isolation,
        json(),
        EditorState.readOnly.of(true),
        unifiedMergeView({
          original: before,
          mergeControls: false,
          collapseUnchanged: { margin: 2, minSize: 4 },
          gutter: true,
        }),
      ],
    });
    return () => view.destroy();
  }, [before, after]);
  return <div ref={place} className="code-frame" />;
}
