import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateReleaseDocument, UpdateReleaseDocument } from '#documents';
import { useScope } from '../app/scope.js';
import { fieldFaults, messageOf } from '../data/failures.js';
import { useChange } from '../data/use-document.js';
import { FormDialog } from '../parts/form-dialog.js';
import type { Release } from './release-types.js';

/** Makes a release, or changes one, whose version stays. */
export function ReleaseForm({ release, onClose }: { release: Release | null; onClose: () => void }) {
  const { projectId, environment } = useScope();
  const [version, setVersion] = useState(release?.version ?? '');
  const [notes, setNotes] = useState(release?.notes ?? '');
  const [commitSha, setCommit] = useState(release?.commitSha ?? '');
  const [fault, setFault] = useState('');
  const [create, creating] = useChange(CreateReleaseDocument, { quiet: true });
  const [update, updating] = useChange(UpdateReleaseDocument, { quiet: true });
  const send = async () => {
    const commit = commitSha ? { commitSha } : {};
    const { error } = release
      ? await update({ input: { id: release.id, notes, ...commit } }, 'Saved.')
      : await create({ input: { projectId, environment, version, notes, ...commit } }, `${version} is known.`);
    if (!error) return onClose();
    setFault(Object.values(fieldFaults(error)).join(' ') || messageOf(error));
  };
  return (
    <FormDialog
      title={release ? release.version : 'New release'}
      action={release ? 'Save' : 'Add release'}
      isBusy={creating || updating}
      send={send}
      onClose={onClose}
    >
      <TextInput
        label="Version"
        placeholder="2.4.0"
        data-autofocus
        required
        disabled={release !== null}
        value={version}
        error={fault}
        onChange={(e) => setVersion(e.currentTarget.value)}
      />
      <TextInput label="Commit" value={commitSha} onChange={(e) => setCommit(e.currentTarget.value)} />
      <Textarea label="Notes" autosize minRows={3} value={notes} onChange={(e) => setNotes(e.currentTarget.value)} />
    </FormDialog>
  );
}
