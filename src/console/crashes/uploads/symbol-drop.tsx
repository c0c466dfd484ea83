import { ChoiceSelect } from '../../parts/fields/choices.js';
import { typing } from '../../parts/fields/typing.js';
import '../crashes.css';
import { Button, FileButton, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { SentSymbolFileDocument, type SymbolKind } from '#documents';
import { useDocument } from '../../data/use-document.js';
import { keepsFocus } from '../../parts/focus/keeps-focus.js';
import { sizeInWords } from '../../parts/short-numbers.js';
import { SYMBOL_KIND_NAMES } from '../symbol-kind-names.js';
import { type SymbolUpload, useSymbolUploads } from './use-symbol-uploads.js';

/** Uploads symbol files by drag and drop or file picker, and shows the outcome of each. */
export function SymbolDrop() {
  const [kind, setKind] = useState<SymbolKind>('js_sourcemap');
  const [release, setRelease] = useState('');
  const [isOver, setOver] = useState(false);
  const { uploads, send, goOn, pause, giveUp, isSending } = useSymbolUploads();
  const sendAll = (files: readonly File[]) => void send(files, kind, release);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    sendAll([...event.dataTransfer.files]);
  };
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <ChoiceSelect label="Kind" choices={SYMBOL_KIND_NAMES} value={kind} onChange={setKind} />
        <TextInput label="Release" placeholder="2.4.0" {...typing(release, setRelease)} />
      </Group>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is the pointer alternative to the button inside */}
      <div
        className={isOver ? 'drop drop-over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Text size="sm" mb="xs">
          Drop symbol files here
        </Text>
        <FileButton multiple onChange={sendAll}>
          {({ onClick }) => (
            <Button variant="default" loading={isSending} onClick={onClick} renderRoot={keepsFocus}>
              Choose files
            </Button>
          )}
        </FileButton>
      </div>
      <div role="status">
        {uploads.map((upload) => (
          <UploadLine
            key={upload.id}
            upload={upload}
            onGoOn={() => void goOn(upload)}
            onPause={() => pause(upload)}
            onGiveUp={() => giveUp(upload)}
          />
        ))}
      </div>
    </Stack>
  );
}

const STATES: Readonly<Partial<Record<SymbolUpload['state'], string>>> = {
  waiting: 'waiting',
  reading: 'reading',
  leaving: 'uploading',
  paused: 'paused',
};

interface UploadLineProps {
  upload: SymbolUpload;
  onGoOn: () => void;
  onPause: () => void;
  onGiveUp: () => void;
}

/** The server's result for a stored file: processed or not, and why it failed. */
function useReading(artifactId: string | undefined): { fault: string | null; words: string } {
  const { data } = useDocument(SentSymbolFileDocument, { id: artifactId ?? '' }, { pause: artifactId === undefined });
  const { failureReason: fault = null, indexedAt = null } = data?.symbolArtifact ?? {};
  const words = indexedAt ? 'stored; crashes that were missing it are symbolicated again.' : 'stored; processing.';
  return { fault, words: fault ?? words };
}

function UploadLine({ upload, onGoOn, onPause, onGiveUp }: UploadLineProps) {
  const { file, state, share, artifactId } = upload;
  const reading = useReading(artifactId);
  const words = state === 'stored' ? reading.words : upload.words;
  const isBad = state === 'refused' || state === 'broken' || reading.fault !== null;
  const percent = Math.floor(share * 100);
  const isUnderWay = state === 'leaving' || state === 'reading';
  const isStopped = state === 'paused' || state === 'broken';
  return (
    <div className="frame">
      <Group justify="space-between" gap="xs">
        <Text size="sm" className={isBad ? 'bad' : undefined}>
          <span className="mono">{file.name}</span>:{' '}
          {words || `${STATES[state]}, ${percent}% of ${sizeInWords(file.size)}`}
        </Text>
        <Group gap={4}>
          {isUnderWay && (
            <Button variant="default" size="compact-xs" onClick={onPause}>
              Pause
            </Button>
          )}
          {isStopped && (
            <>
              <Button variant="default" size="compact-xs" onClick={onGoOn}>
                Resume
              </Button>
              <Button variant="subtle" color="red" size="compact-xs" onClick={onGiveUp}>
                Cancel
              </Button>
            </>
          )}
        </Group>
      </Group>
      {(isUnderWay || state === 'paused') && (
        <Progress value={percent} size="sm" aria-label={`${file.name} ${state === 'reading' ? 'read' : 'sent'}`} />
      )}
    </div>
  );
}
