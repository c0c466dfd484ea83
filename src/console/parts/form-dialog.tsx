import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { CombinedError } from 'urql';
import { fieldFaults, messageOf } from '../data/failures.js';

interface FormDialogProps {
  title: string;
  /** What the button says that sends it. */
  action: string;
  isWide?: boolean;
  /** Stores what was typed; what it answers stands at its fields, and the dialog stays open with it. */
  save: () => Promise<{ error?: CombinedError | undefined }>;
  onClose: () => void;
  /** The fields; each asks for its fault by the name that the server knows it by. */
  children: (faultOf: (field: string) => string | undefined) => ReactNode;
}

/** A form over the page: its fields with their faults, a way out, and the button that sends it. */
export function FormDialog({ title, action, isWide = false, save, onClose, children }: FormDialogProps) {
  const [error, setError] = useState<CombinedError>();
  const [isBusy, setBusy] = useState(false);
  const [isTouched, setTouched] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const { error: failure } = await save();
    setBusy(false);
    setError(failure);
    if (!failure) onClose();
  };
  const leave = () => {
    if (!isTouched || window.confirm('Close without saving what you typed?')) onClose();
  };
  const faults = error ? fieldFaults(error) : {};
  const told = new Set<string>();
  const fields = children((field) => {
    told.add(field);
    return faults[field];
  });
  const others = Object.entries(faults).filter(([field]) => !told.has(field));
  return (
    <Modal opened onClose={leave} size={isWide ? 'lg' : 'md'} title={<Text fw={600}>{title}</Text>}>
      <form onSubmit={submit} onInput={() => setTouched(true)}>
        <Stack gap="sm">
          {fields}
          {error && (Object.keys(faults).length === 0 || others.length > 0) && (
            <Alert color="red" role="alert" p="xs">
              {others.length > 0
                ? others.map(([field, message]) => `${field}: ${message}`).join(' ')
                : messageOf(error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
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
