import { Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FlagRowFragment, type FlagWholeFragment, HaltFlagDocument, PreviewHaltDocument } from '#documents';
import { notify } from '../data/notify.js';
import { useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { isWebLink } from '../editor/evidence.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';
import { COMMAND_KEY, haltedBy } from '../parts/text.js';
import { inUtc } from '../parts/when.js';

interface HaltDialogProps {
  flag: Pick<FlagRowFragment, 'id' | 'key' | 'environment' | 'defaultVariant'>;
  onClose: () => void;
}

type Halted = Pick<FlagWholeFragment, 'key' | 'defaultVariant' | 'haltedAt' | 'haltReason' | 'latest'>;

/** The kill switch: type a reason, press Ctrl+Enter or ⌘Enter. */
export function HaltDialog({ flag, onClose }: HaltDialogProps) {
  const { email } = useScope();
  const [reason, setReason] = useState('');
  const [evidenceUrl, setEvidenceUrl] = useState('');
  const [halt] = useChange(HaltFlagDocument, { quiet: true });
  const isLost = evidenceUrl.trim() !== '' && !isWebLink(evidenceUrl.trim());
  const save = async () => {
    const answered = await halt({ input: { flagId: flag.id, reason, evidenceUrl: evidenceUrl.trim() || null } });
    const halted = answered.data?.haltFlag;
    if (halted) notify(outcomeOf(halted, email, reason.trim()));
    return answered;
  };
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
            Everyone gets <code>{flag.defaultVariant}</code> immediately, whatever the rules say, until someone resumes
            the flag.
          </Text>
          <Consequences flagId={flag.id} />
          <Textarea
            label="Reason"
            description={
              <>
                Shown on the flag's page and in its history.
                <span className="by-key"> Press {COMMAND_KEY}Enter to halt.</span>
              </>
            }
            data-autofocus
            required
            autosize
            minRows={2}
            {...typing(reason, setReason)}
            error={faultOf('reason')}
          />
          <TextInput
            label="Evidence"
            description="A link to the graph or the incident"
            placeholder="https://"
            {...typing(evidenceUrl, setEvidenceUrl)}
            inputMode="url"
            error={
              faultOf('evidenceUrl') ??
              (isLost && "This isn't an http:// or https:// link. You can still halt, but it won't be saved.")
            }
          />
        </>
      )}
    </FormDialog>
  );
}

/** What to say after halting: if someone else was first, the halt is theirs. */
function outcomeOf(
  { key, defaultVariant, haltedAt, haltReason, latest }: Halted,
  email: string,
  reason: string,
): string {
  const [newest] = latest.nodes;
  const isOwn = newest?.action === 'halted' && newest.actorEmail === email && haltReason === reason;
  if (isOwn || !haltedAt) return `${key} halted: everyone gets ${defaultVariant}.`;
  return `${key} was already halted${haltedBy(latest.nodes)} at ${inUtc(haltedAt)}. Your reason was not stored.`;
}

/**
 * How many people the halt would move to another variant, for this flag and flags that depend on it. The dialog
 * doesn't wait for the count.
 */
function Consequences({ flagId }: { flagId: string }) {
  const { data } = useDocument(PreviewHaltDocument, { flagId }, { requestPolicy: 'network-only' });
  const preview = data?.previewHalt;
  if (!preview) return null;
  const about = preview.isEstimate ? 'about ' : '';
  return (
    <ul className="consequences" aria-label="Effects of the halt">
      {preview.consequences.map(({ flag, persons, servesDefault }) => (
        <li key={flag.id}>
          <span className="mono">{flag.key}</span>: {about}
          {persons.toLocaleString('en')} of {preview.persons.toLocaleString('en')} known people get a different variant
          {servesDefault ? '; it serves its default to everyone' : ''}
        </li>
      ))}
    </ul>
  );
}
