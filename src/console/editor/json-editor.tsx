import { Input } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Waiting } from '../parts/states.js';

const CodeEditor = lazy(() => import('./code-editor.js'));

interface JsonEditorProps {
  label: string;
  description?: string;
  value: string;
  onChange: (value: string) => void;
  disabled: boolean;
  error?: string | undefined;
}

/** A JSON editor with colours, brackets and undo, and errors below it. Press Escape, then Tab, to leave it. */
export function JsonEditor({ label, description, error, ...rest }: JsonEditorProps) {
  return (
    <Input.Wrapper label={label} description={description} error={error} size="xs">
      <Suspense fallback={<Waiting />}>
        <CodeEditor label={label} error={error} {...rest} />
      </Suspense>
    </Input.Wrapper>
  );
}
