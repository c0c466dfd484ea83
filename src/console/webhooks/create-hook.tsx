import { TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateHookDocument, type CreateHookMutation, EventKindsDocument } from '#documents';
import { useGoTo, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';
import { ShownOnce } from '../parts/shown-once.js';

/** Creates a subscription and shows its secret once. */
export function CreateHook({ onClose }: { onClose: () => void }) {
  const { projectId } = useScope();
  const goTo = useGoTo();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [patterns, setPatterns] = useState<string[]>([]);
  const [made, setMade] = useState<CreateHookMutation['createWebhookSubscription']>();
  const [create] = useChange(CreateHookDocument, { quiet: true });
  if (made)
    return (
      <ShownOnce
        title="Save your signing secret"
        secret={made.secret}
        onClose={() => goTo('webhooks', made.subscription.id)}
      />
    );
  return (
    <FormDialog
      title="New webhook"
      action="Create webhook"
      save={() => create({ input: { projectId, url, description, patterns } })}
      main="url"
      onClose={onClose}
      onSaved={({ createWebhookSubscription }) => setMade(createWebhookSubscription)}
    >
      {(faultOf) => (
        <>
          <TextInput
            label="URL"
            placeholder="https://hooks.example.com/quarterdeck"
            data-autofocus
            required
            {...typing(url, setUrl)}
            error={faultOf('url')}
          />
          <PatternInput value={patterns} onChange={setPatterns} error={faultOf('patterns')} />
          <TextInput label="Description" {...typing(description, setDescription)} error={faultOf('description')} />
        </>
      )}
    </FormDialog>
  );
}

interface PatternInputProps {
  value: string[];
  onChange: (patterns: string[]) => void;
  error?: string | undefined;
  disabled?: boolean;
}

/** Event kinds, or patterns that match them. */
export function PatternInput({ value, onChange, error, disabled = false }: PatternInputProps) {
  const { data } = useDocument(EventKindsDocument, {}, { requestPolicy: 'cache-first' });
  const kinds = data?.eventKinds?.map(({ kind }) => kind) ?? [];
  const modules = [...new Set(kinds.map((kind) => `${kind.split('.')[0]}.*`))];
  return (
    <TagsInput
      label="Listens to"
      description="Event kinds, such as catch.alert.fired, or patterns with *, such as switch.*"
      data={['*', ...modules, ...kinds]}
      value={value}
      onChange={onChange}
      error={error}
      disabled={disabled}
      acceptValueOnBlur
      maxDropdownHeight={240}
    />
  );
}
