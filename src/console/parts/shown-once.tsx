import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { Snippet } from './snippet.js';

interface ShownOnceProps {
  title: string;
  secret: string;
  onClose: () => void;
  /** What else is to be known about it. */
  children?: ReactNode;
}

/** A secret that the server shows once. */
export function ShownOnce({ title, secret, onClose, children }: ShownOnceProps) {
  if (!secret) return null;
  return (
    <Dialog onClose={onClose} isFirm title={title}>
      <Text size="sm" mb="sm">
        It is shown this once: keep it now. {children}
      </Text>
      <Snippet text={secret} />
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>It is kept</Button>
      </Group>
    </Dialog>
  );
}
