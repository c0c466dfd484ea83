import { Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FlagRowFragment, HaltFlagDocument, PreviewHaltDocument } from '#documents';
import { useChange, useDocument } from '../data/use-document.js';
import { FormDialog } from '../parts/form-dialog.js';
import { isWebLink } from './evidence.js';

interface HaltDialogProps {
  flag: Pick<FlagRowFragment, 'id' | 'key' | 'environment' | 'defaultVariant'>;
  onClose: () => void;
}

/** The kill switch: a reason, Enter, done. */
export function HaltDialog({ flag, onClose }: HaltDialogProps) {
  const [reason, setReason] = useState('');
  const [evidenceUrl, setEvidenceUrl] = useState('');
  const [halt] = useChange(HaltFlagDocument, { quiet: true });
  const isLost = evidenceUrl.trim() !== '' && !isWebLink(evidenceUrl.trim());
  const save = () =>
    halt(
      { input: { flagId: flag.id, reason, evidenceUrl: evidenceUrl.trim() || null } },
      `${flag.key} is halted: everybody gets ${flag.defaultVariant}.`,
    );
  return (
    <FormDialog
      title={`Halt ${flag.key} in ${flag.environment}`}
      action="Halt now"
      isGrave
      save={save}
      main="reason"
      onClose={onClose}
    >
      {(faultOf) => (
        <>
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
            error={faultOf('reason')}
            onChange={(e) => setReason(e.currentTarget.value)}
          />
          <TextInput
            label="Evidence"
            description="A link to the graph or the incident"
            placeholder="https://"
            value={evidenceUrl}
            inputMode="url"
            error={
              faultOf('evidenceUrl') ??
              (isLost && 'This is no link with http:// or https://. The halt goes through without it.')
            }
            onChange={(e) => setEvidenceUrl(e.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
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
