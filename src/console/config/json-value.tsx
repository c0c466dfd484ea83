import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { JsonEditor } from '../editor/json-editor.js';
import { ChoiceSegments } from '../parts/fields/choices.js';
import { parsedOr, roundedIn } from '../parts/fields/typed-values.js';
import { fits, formSchemaOf } from './form-schema.js';
import { SchemaForm } from './schema-form.js';
import { faultOf } from './value-input.js';

interface JsonValueProps {
  value: string;
  /** The JSON Schema as text; empty for none. */
  schema: string;
  disabled: boolean;
  /** What the server refused about it. */
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** Edits a JSON value as a form next to its text, or as text only if a form can't express the schema. */
export function JsonValue({ value, schema, disabled, error, onChange }: JsonValueProps) {
  const [shows, setShows] = useState<'both' | 'text'>('both');
  const form = schema.trim() === '' ? null : formSchemaOf(parsedOr(schema, null));
  const fault = faultOf('json', value);
  const current = parsedOr(value, undefined);
  const rounded = fault === undefined ? roundedIn(value) : undefined;
  const isDrawn = form !== null && fault === undefined && rounded === undefined && fits(form, current);
  const editor = (
    <JsonEditor label="Value" value={value} onChange={onChange} disabled={disabled} error={fault ?? error} />
  );
  if (!form) return editor;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <ChoiceSegments
          aria-label="Editing mode"
          choices={{ both: 'Form and text', text: 'Text' }}
          value={shows}
          onChange={setShows}
        />
        {shows === 'both' && !isDrawn && (
          <Text size="xs" className="warn">
            {rounded
              ? `The form would round ${rounded}; edit it as text.`
              : "The text doesn't match the schema. Correct it to use the form again."}
          </Text>
        )}
      </Group>
      {shows === 'both' && isDrawn ? (
        <div className="halves">
          <SchemaForm
            schema={form}
            value={current}
            label={form.title ?? 'Value'}
            required
            disabled={disabled}
            onChange={(next) => next !== undefined && onChange(JSON.stringify(next, null, 2))}
          />
          {editor}
        </div>
      ) : (
        editor
      )}
    </Stack>
  );
}
