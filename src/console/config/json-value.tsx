import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { JsonEditor } from '../editor/json-editor.js';
import { roundedIn } from '../parts/fields/typed-values.js';
import { fits, formSchemaOf } from './form-schema.js';
import { SchemaForm } from './schema-form.js';
import { faultOf } from './value-input.js';

interface JsonValueProps {
  value: string;
  /** Text of the JSON Schema; empty for none. */
  schema: string;
  disabled: boolean;
  onChange: (value: string) => void;
}

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

/** A JSON value as a form by its schema, beside the text that it is; as text alone where the schema says more than a form can. */
export function JsonValue({ value, schema, disabled, onChange }: JsonValueProps) {
  const [shows, setShows] = useState<'both' | 'text'>('both');
  const form = schema.trim() === '' ? null : formSchemaOf(parsedOr(schema, null));
  const fault = faultOf('json', value);
  const current = parsedOr(value, undefined);
  const rounded = fault === undefined ? roundedIn(value) : undefined;
  const isDrawn = form !== null && fault === undefined && rounded === undefined && fits(form, current);
  const editor = <JsonEditor label="Value" value={value} onChange={onChange} disabled={disabled} error={fault} />;
  if (!form) return editor;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <SegmentedControl
          aria-label="How the value is edited"
          data={[
            { value: 'both', label: 'Form and text' },
            { value: 'text', label: 'Text' },
          ]}
          value={shows}
          onChange={(next) => setShows(next as 'both' | 'text')}
        />
        {shows === 'both' && !isDrawn && (
          <Text size="xs" className="warn">
            {rounded
              ? `${rounded} would be rounded by the form; edit it as text.`
              : 'The text has another shape than the schema; mend it, and the form comes back.'}
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
