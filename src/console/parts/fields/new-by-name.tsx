import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { keepsFocus } from '../focus/keeps-focus.js';
import { typing } from './typing.js';

interface NewByNameProps {
  label: string;
  placeholder?: string;
  /** The label of the button. */
  action: string;
  isBusy: boolean;
  /** Creates it; returns true on success. */
  make: (name: string) => Promise<boolean>;
  children?: ReactNode;
}

/** A create form below a list, for objects that need only a name. */
export function NewByName({ label, placeholder = 'Name', action, isBusy, make, children }: NewByNameProps) {
  const [name, setName] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await make(name)) setName((now) => (now === name ? '' : now));
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" mt="sm">
        <TextInput label={label} placeholder={placeholder} required {...typing(name, setName)} />
        {children}
        <Button type="submit" loading={isBusy} renderRoot={keepsFocus}>
          {action}
        </Button>
      </Group>
    </form>
  );
}
