import { FileButton, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { type SymbolKind, UploadSymbolsDocument } from '#documents';
import { useMay, useScope } from '../app/scope.js';
import { messageOf } from '../data/failures.js';
import { useChange } from '../data/use-document.js';
import { Permitted } from '../parts/permitted.js';

const KINDS: Readonly<Record<SymbolKind, string>> = {
  js_sourcemap: 'JavaScript source map',
  ios_dsym: 'iOS dSYM',
  android_mapping: 'Android mapping',
  android_ndk: 'Android NDK library',
  flutter_symbols: 'Flutter symbols',
};

/** Symbol files by drag and drop, or chosen; each says what became of it. */
export function SymbolDrop() {
  const { projectId, environment } = useScope();
  const may = useMay('catch_symbol_upload');
  const [kind, setKind] = useState<SymbolKind>('js_sourcemap');
  const [release, setRelease] = useState('');
  const [isOver, setOver] = useState(false);
  const [outcomes, setOutcomes] = useState<string[]>([]);
  const [upload, uploading] = useChange(UploadSymbolsDocument, { quiet: true });
  const send = async (files: readonly File[]) => {
    setOutcomes([]);
    for (const file of files) {
      const { data, error } = await upload({ projectId, environment, kind, release: release || null, file });
      const made = data?.uploadSymbolArtifact;
      const outcome = error
        ? messageOf(error)
        : (made?.failureReason ?? 'stored; frames that waited for it are read again.');
      setOutcomes((before) => [...before, `${file.name}: ${outcome}`]);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (may) void send([...event.dataTransfer.files]);
  };
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Select
          label="Kind"
          data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
          value={kind}
          onChange={(next) => next && setKind(next as SymbolKind)}
        />
        <TextInput
          label="Release"
          placeholder="2.4.0"
          value={release}
          onChange={(e) => setRelease(e.currentTarget.value)}
        />
      </Group>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way for pointers; the button inside is the first */}
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
        <FileButton multiple onChange={(files) => void send(files)}>
          {({ onClick }) => (
            <Permitted may={may} variant="default" loading={uploading} onClick={onClick}>
              Choose files
            </Permitted>
          )}
        </FileButton>
      </div>
      <div role="status">
        {outcomes.map((outcome) => (
          <Text size="sm" key={outcome}>
            {outcome}
          </Text>
        ))}
      </div>
    </Stack>
  );
}
