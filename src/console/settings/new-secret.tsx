import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { WhoMay } from '../parts/who-may.js';

interface NewSecretProps {
  label: string;
  /** What the button says. */
  action: string;
  may: boolean;
  isBusy: boolean;
  /** Makes it; returns the secret, unless the server refused. */
  make: (name: string) => Promise<string | undefined>;
  onSecret: (secret: string) => void;
  /** Further fields. */
  children?: ReactNode;
}

/** The form below a list of secrets: each has a name, and is shown once. */
export function NewSecret({ label, action, may, isBusy, make, onSecret, children }: NewSecretProps) {
  const [name, setName] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const secret = await make(name);
    if (!secret) return;
    onSecret(secret);
    setName((now) => (now === name ? '' : now));
  };
  return (
    <WhoMay may={may} weakest="admin" to="make one">
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end" mt="sm">
          <TextInput
            label={label}
            placeholder="Name"
            required
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          {children}
          <Button type="submit" loading={isBusy} renderRoot={keepsFocus}>
            {action}
          </Button>
        </Group>
      </form>
    </WhoMay>
  );
}
