import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

interface FormDialogProps {
  title: string;
  /** What the button says that sends it. */
  action: string;
  isBusy: boolean;
  isWide?: boolean;
  send: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** A form over the page: its fields, a way out, and the button that sends it. */
export function FormDialog({ title, action, isBusy, isWide = false, send, onClose, children }: FormDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  return (
    <Modal opened onClose={onClose} size={isWide ? 'lg' : 'md'} title={<Text fw={600}>{title}</Text>}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
