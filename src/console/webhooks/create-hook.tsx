import { Button, Group, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CreateHookDocument, EventKindsDocument } from '#documents';
import { useGoTo, useScope } from '../app/scope.js';
import { fieldFaults, messageOf } from '../data/failures.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Snippet } from '../parts/snippet.js';

/** A new subscription; its secret is shown once. */
export function CreateHook({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { projectId } = useScope();
  const goTo = useGoTo();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [patterns, setPatterns] = useState<string[]>([]);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const [create, creating] = useChange(CreateHookDocument, { quiet: true });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data, error } = await create({ input: { projectId, url, description, patterns } });
    const hook = data?.createWebhookSubscription;
    if (hook) setMade({ id: hook.subscription.id, secret: hook.secret });
    if (!error) return;
    const fields = fieldFaults(error);
    setFaults(Object.keys(fields).length > 0 ? fields : { url: messageOf(error) });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={600}>New webhook</Text>}>
      {made ? (
        <Stack>
          <Text size="sm">The secret that deliveries are signed with. It is shown this once.</Text>
          <Snippet text={made.secret} />
          <Group justify="flex-end">
            <Button onClick={() => goTo('webhooks', made.id)}>It is kept, go on</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <TextInput
              label="Target"
              placeholder="https://hooks.example.com/quarterdeck"
              data-autofocus
              required
              value={url}
              error={faults.url}
              onChange={(e) => setUrl(e.currentTarget.value)}
            />
            <PatternInput value={patterns} onChange={setPatterns} error={faults.patterns} />
            <TextInput
              label="Description"
              value={description}
              onChange={(e) => setDescription(e.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={creating}>
                Create webhook
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
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
