import { typing } from '../parts/fields/typing.js';
import './editor.css';
import { Alert, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fieldFaults, messageOf } from '../data/failures.js';
import { Permitted } from '../parts/permitted.js';
import { FieldFaults } from '../parts/states.js';
import { actorWords } from '../parts/text.js';
import { MergeDialog } from './merge-dialog.js';
import type { Draft } from './use-draft.js';

interface SaveBarProps<T extends object> {
  draft: Draft<T>;
  /** Why it cannot be saved yet. */
  fault?: string | undefined;
  /** Whether the object has a history with notes. */
  takesNote?: boolean;
  /** The newest version, for who saved it. */
  latest?: { actorId: string; actorEmail: string } | undefined;
}

/**
 * Appears once something is edited: a note for the history, save, discard, and a merge if someone else saved first.
 * Reports the outcome in the same place.
 */
export function SaveBar<T extends object>({ draft, fault, takesNote = true, latest }: SaveBarProps<T>) {
  const [note, setNote] = useState('');
  const [said, setSaid] = useState('');
  const { isDirty, meanwhile, error, isSaving } = draft;
  if (isDirty && said !== '') setSaid('');
  if (!isDirty && !error) return said === '' ? null : <Said words={said} onLeave={() => setSaid('')} />;
  const faults = error ? Object.entries(fieldFaults(error)) : [];
  const save = async () => {
    const outcome = await draft.save(note);
    if (outcome === 'refused') focusFirstFault();
    if (outcome !== 'saved') return;
    setNote((now) => (now === note ? '' : now));
    setSaid('Saved.');
  };
  const undo = () => {
    draft.reset();
    setSaid('Changes discarded.');
  };
  return (
    <>
      <Paper className="save-bar" withBorder shadow="md" p="sm" role="region" aria-label="Unsaved changes">
        <Stack gap="xs">
          {meanwhile && (
            <Alert color="orange" role="status" p="xs">
              <Group justify="space-between" gap="xs">
                <Text size="sm">
                  {latest ? actorWords(latest.actorId, latest.actorEmail) : 'Someone else'} saved a new version while
                  you were editing.
                </Text>
                <Button size="compact-xs" variant="default" onClick={meanwhile.ask}>
                  Compare and choose
                </Button>
              </Group>
            </Alert>
          )}
          {error && (
            <Alert color="red" role="alert" p="xs">
              {faults.length === 0 && messageOf(error)}
              <FieldFaults faults={faults} />
            </Alert>
          )}
          <Group gap="xs" wrap="wrap">
            {takesNote ? (
              <TextInput
                aria-label="Note for the history"
                placeholder="What you changed and why"
                {...typing(note, setNote)}
                flex={1}
                miw={160}
              />
            ) : (
              <Text size="sm" flex={1}>
                Not saved
              </Text>
            )}
            <Button variant="default" onClick={undo}>
              Discard
            </Button>
            <Permitted may={fault === undefined} because={fault} onClick={save} loading={isSaving}>
              Save
            </Permitted>
          </Group>
        </Stack>
      </Paper>
      {meanwhile?.isAsked && <MergeDialog meanwhile={meanwhile} onClose={meanwhile.later} />}
    </>
  );
}

/** Leads from the button to the first field to correct, unless the user is already elsewhere. */
function focusFirstFault(): void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && !activeElement.closest('.save-bar')) return;
  document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
}

/** Replaces the buttons and takes over the focus they had, unless it has already moved to a field. Disappears once the user moves on. */
function Said({ words, onLeave }: { words: string; onLeave: () => void }) {
  const shown = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const isLost = !document.activeElement || document.activeElement === document.body;
    if (isLost) shown.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const goOn = ({ target }: Event) => {
      if (!shown.current?.contains(target as Node)) onLeave();
    };
    document.addEventListener('focusin', goOn);
    document.addEventListener('input', goOn);
    return () => {
      document.removeEventListener('focusin', goOn);
      document.removeEventListener('input', goOn);
    };
  }, [onLeave]);
  return (
    <Paper
      ref={shown}
      className="save-bar said"
      withBorder
      shadow="md"
      p="sm"
      role="status"
      tabIndex={-1}
      // If another window is in front, focus returns here later, so don't treat that as leaving.
      onBlur={({ currentTarget }) => currentTarget !== document.activeElement && onLeave()}
    >
      <Text size="sm">{words}</Text>
    </Paper>
  );
}
