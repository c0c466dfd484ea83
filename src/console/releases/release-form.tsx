import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateReleaseDocument, type ReleasesQuery, UpdateReleaseDocument } from '#documents';
import { isolated } from '../data/notify.js';
import { useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { changedOf } from '../editor/changed.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';

export type Release = NonNullable<ReleasesQuery['releases']>['nodes'][number];

/** Creates or edits a release. The version of an existing one can't change. */
export function ReleaseForm({ release, onClose }: { release: Release | null; onClose: () => void }) {
  const { projectId, environment } = useScope();
  const [version, setVersion] = useState(release?.version ?? '');
  const before = { notes: release?.notes ?? '', commitSha: release?.commitSha ?? '' };
  const [notes, setNotes] = useState(before.notes);
  const [commitSha, setCommit] = useState(before.commitSha);
  const [create] = useChange(CreateReleaseDocument, { quiet: true });
  const [update] = useChange(UpdateReleaseDocument, { quiet: true });
  const save = () => {
    const typed = { notes, commitSha: commitSha || before.commitSha };
    return release
      ? update({ input: { id: release.id, ...changedOf(before, typed) } }, 'Saved.')
      : create(
          { input: { projectId, environment, version, notes, ...(commitSha ? { commitSha } : {}) } },
          `${isolated(version)} created.`,
        );
  };
  return (
    <FormDialog
      title={release ? release.version : 'New release'}
      action={release ? 'Save' : 'Create release'}
      save={save}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          <TextInput
            label="Version"
            placeholder="2.4.0"
            data-autofocus
            required
            disabled={release !== null}
            {...typing(version, setVersion)}
            error={faultOf('version')}
          />
          <TextInput label="Commit" error={faultOf('commitSha')} {...typing(commitSha, setCommit)} />
          <Textarea label="Notes" error={faultOf('notes')} autosize minRows={3} {...typing(notes, setNotes)} />
        </>
      )}
    </FormDialog>
  );
}
