import { Button, Group, Modal, Text } from '@mantine/core';
import { Snippet } from './snippet.js';

/** A secret that the server tells once. */
export function ShownOnce({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  if (!secret) return null;
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title={<Text fw={600}>{title}</Text>}>
      <Text size="sm" mb="sm">
        It is shown this once: keep it now.
      </Text>
      <Snippet text={secret} />
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>It is kept</Button>
      </Group>
    </Modal>
  );
}
