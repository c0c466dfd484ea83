import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type ConfigValueType, CreateConfigItemDocument } from '#documents';
import { useGoTo, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { ChoiceSegments } from '../parts/fields/choices.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';
import { ValueInput } from './value-input.js';

const FIRST: Readonly<Record<ConfigValueType, string>> = {
  bool: 'false',
  int: '0',
  float: '0.5',
  string: '',
  json: '{}',
};

const TYPES = Object.keys(FIRST) as ConfigValueType[];

/** Creates a config item: a key, a permanent type and a first value. */
export function CreateItem({ onClose }: { onClose: () => void }) {
  const { projectId, environment } = useScope();
  const goTo = useGoTo({ replace: true });
  const [key, setKey] = useState('');
  const [description, setDescription] = useState('');
  const [type, setType] = useState<ConfigValueType>('string');
  const [value, setValue] = useState('');
  const [create] = useChange(CreateConfigItemDocument, { quiet: true });
  return (
    <FormDialog
      title={`New config item in ${environment}`}
      action="Create item"
      save={() => create({ input: { projectId, environment, key, description, type, value } })}
      main="key"
      onClose={onClose}
      onSaved={({ createConfigItem }) => goTo('config', createConfigItem?.key ?? key)}
    >
      {(faultOf) => (
        <>
          <TextInput
            label="Key"
            description="The key your code uses, such as checkout.max_items"
            data-autofocus
            required
            {...typing(key, setKey)}
            error={faultOf('key')}
            className="mono"
          />
          <TextInput label="Description" {...typing(description, setDescription)} error={faultOf('description')} />
          <ChoiceSegments
            aria-label="Type"
            choices={TYPES}
            value={type}
            onChange={(next) => {
              setType(next);
              setValue(FIRST[next]);
            }}
          />
          <ValueInput
            type={type}
            value={value}
            onChange={setValue}
            label="Value"
            disabled={false}
            error={faultOf('value')}
          />
        </>
      )}
    </FormDialog>
  );
}
