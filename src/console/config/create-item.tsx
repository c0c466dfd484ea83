import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type ConfigValueType, CreateConfigItemDocument } from '#documents';
import { useGoTo, useScope } from '../app/scope.js';
import { fieldFaults, messageOf } from '../data/failures.js';
import { useChange } from '../data/use-document.js';
import { ValueInput } from './value-input.js';

const FIRST: Readonly<Record<ConfigValueType, string>> = {
  bool: 'false',
  int: '0',
  float: '0.5',
  string: '',
  json: '{}',
};

/** A new item: a key, a type that stays, a first value. */
export function CreateItem({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { projectId, environment } = useScope();
  const goTo = useGoTo();
  const [key, setKey] = useState('');
  const [description, setDescription] = useState('');
  const [type, setType] = useState<ConfigValueType>('string');
  const [value, setValue] = useState('');
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [create, creating] = useChange(CreateConfigItemDocument, { quiet: true });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data, error } = await create({ input: { projectId, environment, key, description, type, value } });
    if (data?.createConfigItem) return goTo('config', data.createConfigItem.key);
    if (!error) return undefined;
    const fields = fieldFaults(error);
    setFaults(fields.key || fields.value ? fields : { key: messageOf(error) });
    return undefined;
  };
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={600}>{`New config item in ${environment}`}</Text>}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Key"
            description="As code asks for it: checkout.max_items"
            data-autofocus
            required
            value={key}
            error={faults.key}
            onChange={(e) => setKey(e.currentTarget.value)}
            className="mono"
          />
          <TextInput
            label="Description"
            value={description}
            error={faults.description}
            onChange={(e) => setDescription(e.currentTarget.value)}
          />
          <SegmentedControl
            aria-label="Type"
            data={Object.keys(FIRST)}
            value={type}
            onChange={(next) => {
              setType(next as ConfigValueType);
              setValue(FIRST[next as ConfigValueType]);
            }}
          />
          <ValueInput
            type={type}
            value={value}
            onChange={setValue}
            label="Value"
            disabled={false}
            error={faults.value}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating}>
              Create item
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
