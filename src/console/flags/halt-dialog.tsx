import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type FlagRowFragment, HaltFlagDocument } from '#documents';
import { fieldFaults, messageOf } from '../data/failures.js';
import { useChange } from '../data/use-document.js';

interface HaltDialogProps {
  flag: Pick<FlagRowFragment, 'id' | 'key' | 'environment' | 'defaultVariant'>;
  onClose: () => void;
}

/** The kill switch: a reason, Enter, done. */
export function HaltDialog({ flag, onClose }: HaltDialogProps) {
  const [reason, setReason] = useState('');
  const [evidenceUrl, setEvidenceUrl] = useState('');
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [halt, halting] = useChange(HaltFlagDocument, { quiet: true });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { error } = await halt(
      { input: { flagId: flag.id, reason, ...(evidenceUrl ? { evidenceUrl } : {}) } },
      `${flag.key} is halted: everybody gets ${flag.defaultVariant}.`,
    );
    if (!error) return onClose();
    const fields = fieldFaults(error);
    setFaults(Object.keys(fields).length > 0 ? fields : { reason: messageOf(error) });
  };
  return (
    <Modal opened onClose={onClose} title={<Text fw={600}>{`Halt ${flag.key} in ${flag.environment}`}</Text>}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">
            Everybody gets <code>{flag.defaultVariant}</code> at once, whatever the rules say, until somebody resumes
            it.
          </Text>
          <Textarea
            label="Reason"
            description="Stands in the history and in the event; Ctrl+Enter halts."
            data-autofocus
            required
            autosize
            minRows={2}
            value={reason}
            error={faults.reason}
            onChange={(e) => setReason(e.currentTarget.value)}
            onKeyDown={(e) => {
              if (e.key === 'Enter' && (e.metaKey || e.ctrlKey)) e.currentTarget.form?.requestSubmit();
            }}
          />
          <TextInput
            label="Evidence"
            description="A link to the graph or the incident"
            placeholder="https://"
            value={evidenceUrl}
            error={faults.evidenceUrl}
            onChange={(e) => setEvidenceUrl(e.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={halting}>
              Halt now
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
