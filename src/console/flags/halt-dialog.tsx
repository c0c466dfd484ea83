import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type FlagRowFragment, HaltFlagDocument, PreviewHaltDocument } from '#documents';
import { fieldFaults, messageOf } from '../data/failures.js';
import { useChange, useDocument } from '../data/use-document.js';

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
          <Consequences flagId={flag.id} />
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

/** Whom the halt would move to another variant, of this flag and of those that need it; the dialog does not wait for the count. */
function Consequences({ flagId }: { flagId: string }) {
  const { data } = useDocument(PreviewHaltDocument, { flagId }, { requestPolicy: 'network-only' });
  const preview = data?.previewHalt;
  if (!preview) return null;
  const about = preview.isEstimate ? 'about ' : '';
  return (
    <ul className="consequences" aria-label="What the halt takes along">
      {preview.consequences.map(({ flag, persons, servesDefault }) => (
        <li key={flag.id}>
          <span className="mono">{flag.key}</span>: {about}
          {persons.toLocaleString('en')} of {preview.persons.toLocaleString('en')} known people get another variant
          {servesDefault ? '; it serves its default to everybody' : ''}
        </li>
      ))}
    </ul>
  );
}
