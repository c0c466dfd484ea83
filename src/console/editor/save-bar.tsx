import { Alert, Button, Group, Modal, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldFaults, messageOf } from '../data/failures.js';
import { DiffView } from './diff-view.js';
import type { Draft } from './use-draft.js';

interface SaveBarProps<T extends object> {
  draft: Draft<T>;
  /** Why it cannot be saved yet. */
  fault?: string | undefined;
  /** Whether the object has a history that notes stand in. */
  takesNote?: boolean;
}

/** Appears once something was edited: a note for the history, save, undo; and the merge when somebody else was quicker. */
export function SaveBar<T extends object>({ draft, fault, takesNote = true }: SaveBarProps<T>) {
  const [note, setNote] = useState('');
  const { isDirty, theirs, error, isSaving } = draft;
  if (!isDirty && !error) return null;
  const faults = error ? Object.entries(fieldFaults(error)) : [];
  const save = async () => {
    await draft.save(note);
    setNote('');
  };
  return (
    <>
      <Paper className="save-bar" withBorder shadow="md" p="sm" role="region" aria-label="Unsaved changes">
        <Stack gap="xs">
          {error && (
            <Alert color="red" role="alert" p="xs">
              {messageOf(error)}
              {faults.map(([path, message]) => (
                <Text size="xs" key={path}>
                  <code>{path}</code> {message}
                </Text>
              ))}
            </Alert>
          )}
          <Group gap="xs" wrap="wrap">
            {takesNote ? (
              <TextInput
                aria-label="Note for the history"
                placeholder="What changes, and why"
                value={note}
                onChange={(e) => setNote(e.currentTarget.value)}
                flex={1}
                miw={160}
              />
            ) : (
              <Text size="sm" flex={1}>
                Not saved yet
              </Text>
            )}
            <Button variant="default" onClick={draft.reset}>
              Undo
            </Button>
            <Button onClick={save} loading={isSaving} disabled={theirs !== null || fault !== undefined} title={fault}>
              Save
            </Button>
          </Group>
        </Stack>
      </Paper>
      {theirs && (
        <Modal
          opened
          onClose={draft.reset}
          size="xl"
          title={<Text fw={600}>Somebody else saved version {theirs.version} meanwhile</Text>}
        >
          <Stack>
            <Text size="sm">What you would change of theirs: red goes, green comes.</Text>
            <DiffView before={theirs.theirs} after={theirs.ours} />
            <Group justify="flex-end">
              <Button variant="default" onClick={draft.reset}>
                Take theirs
              </Button>
              <Button onClick={draft.keepOurs}>Keep mine, go on editing</Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  );
}
