import { Button, Group, Text } from '@mantine/core';
import { Dialog } from './dialog.js';
import { Snippet } from './snippet.js';

/** A secret that the server shows once. */
export function ShownOnce({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  if (!secret) return null;
  return (
    <Dialog onClose={onClose} isFirm title={title}>
      <Text size="sm" mb="sm">
        It is shown this once: keep it now.
      </Text>
      <Snippet text={secret} />
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>It is kept</Button>
      </Group>
    </Dialog>
  );
}
