import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { Snippet } from './snippet.js';

interface ShownOnceProps {
  title: string;
  secret: string;
  onClose: () => void;
  /** Further information about the secret. */
  children?: ReactNode;
}

/** Shows a secret that the server returns only once. */
export function ShownOnce({ title, secret, onClose, children }: ShownOnceProps) {
  if (!secret) return null;
  return (
    <Dialog onClose={onClose} isFirm title={title}>
      <Text size="sm" mb="sm">
        Copy it now. You won't be able to see it again. {children}
      </Text>
      <Snippet text={secret} />
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>I've saved it</Button>
      </Group>
    </Dialog>
  );
}
