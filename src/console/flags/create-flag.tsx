import { Button, Group, Modal, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CreateFlagDocument, type FlagKind } from '#documents';
import { useGoTo, useScope } from '../app/scope.js';
import { fieldFaults, messageOf } from '../data/failures.js';
import { useChange } from '../data/use-document.js';
import type { VariantDraft } from './flag-draft.js';
import { VariantList } from './variant-list.js';

const TWO: readonly VariantDraft[] = [
  { key: 'control', value: 'control' },
  { key: 'treatment', value: 'treatment' },
];

/** A new flag: it serves its default to everybody until it has rules. */
export function CreateFlag({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { projectId, environment } = useScope();
  const goTo = useGoTo();
  const [key, setKey] = useState('');
  const [description, setDescription] = useState('');
  const [kind, setKind] = useState<FlagKind>('boolean');
  const [variants, setVariants] = useState(TWO);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [create, creating] = useChange(CreateFlagDocument, { quiet: true });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const own = kind === 'variant' ? { variants: [...variants], defaultVariant: variants[0]?.key ?? '' } : {};
    const { data, error } = await create({ input: { projectId, environment, key, description, kind, ...own } });
    if (data?.createFlag) return goTo('flags', data.createFlag.key);
    if (!error) return undefined;
    const fields = fieldFaults(error);
    setFaults(fields.key ? fields : { ...fields, key: messageOf(error) });
    return undefined;
  };
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={600}>{`New flag in ${environment}`}</Text>}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Key"
            description="As code asks for it; it stays for ever"
            data-autofocus
            required
            value={key}
            error={faults.key}
            onChange={(e) => setKey(e.currentTarget.value)}
            className="mono"
          />
          <Textarea
            label="Description"
            autosize
            minRows={2}
            value={description}
            error={faults.description}
            onChange={(e) => setDescription(e.currentTarget.value)}
          />
          <SegmentedControl
            aria-label="Kind"
            data={[
              { value: 'boolean', label: 'On or off' },
              { value: 'variant', label: 'Several variants' },
            ]}
            value={kind}
            onChange={(value) => setKind(value as FlagKind)}
          />
          {kind === 'variant' && <VariantList variants={variants} disabled={false} onChange={setVariants} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating}>
              Create flag
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
