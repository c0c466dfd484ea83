import { TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateHookDocument, type CreateHookMutation, EventKindsDocument } from '#documents';
import { useGoTo, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { FormDialog } from '../parts/form-dialog.js';
import { ShownOnce } from '../parts/shown-once.js';

/** A new subscription; its secret is shown once. */
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
        title="The secret that deliveries are signed with"
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
            label="Target"
            placeholder="https://hooks.example.com/quarterdeck"
            data-autofocus
            required
            value={url}
            error={faultOf('url')}
            onChange={(e) => setUrl(e.currentTarget.value)}
          />
          <PatternInput value={patterns} onChange={setPatterns} error={faultOf('patterns')} />
          <TextInput
            label="Description"
            value={description}
            error={faultOf('description')}
            onChange={(e) => setDescription(e.currentTarget.value)}
          />
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

/** Kinds of events, or patterns of them. */
export function PatternInput({ value, onChange, error, disabled = false }: PatternInputProps) {
  const { data } = useDocument(EventKindsDocument, {}, { requestPolicy: 'cache-first' });
  const kinds = data?.eventKinds?.map(({ kind }) => kind) ?? [];
  const modules = [...new Set(kinds.map((kind) => `${kind.split('.')[0]}.*`))];
  return (
    <TagsInput
      label="Listens to"
      description="Kinds of events; * stands for anything: switch.*, catch.alert.fired"
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
