import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  CreateSourceDocument,
  type SourceRowFragment,
  type SymbolSourceLayout,
  UpdateSourceDocument,
} from '#documents';
import { useScope } from '../app/scope.js';
import { fieldFaults, messageOf } from '../data/failures.js';
import { useChange } from '../data/use-document.js';
import { FormDialog } from '../parts/form-dialog.js';

export const LAYOUTS: Readonly<Record<SymbolSourceLayout, string>> = {
  debuginfod: 'debuginfod',
  microsoft: 'Microsoft symbol server',
  breakpad: 'Breakpad',
};

/** Adds a symbol server, or changes one, whose layout stays. */
export function SourceForm({ source, onClose }: { source: SourceRowFragment | null; onClose: () => void }) {
  const { projectId } = useScope();
  const [name, setName] = useState(source?.name ?? '');
  const [layout, setLayout] = useState<SymbolSourceLayout>(source?.layout ?? 'debuginfod');
  const [url, setUrl] = useState(source?.url ?? '');
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [create, creating] = useChange(CreateSourceDocument, { quiet: true });
  const [update, updating] = useChange(UpdateSourceDocument, { quiet: true });
  const send = async () => {
    const { error } = source
      ? await update({ input: { id: source.id, name, url } }, 'Saved.')
      : await create({ input: { projectId, name, layout, url } }, `${name} is asked from now on.`);
    if (!error) return onClose();
    const fields = fieldFaults(error);
    setFaults(Object.keys(fields).length > 0 ? fields : { url: messageOf(error) });
  };
  return (
    <FormDialog
      title={source ? source.name : 'New symbol source'}
      action={source ? 'Save' : 'Add source'}
      isBusy={creating || updating}
      send={send}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        data-autofocus
        required
        value={name}
        error={faults.name}
        onChange={(e) => setName(e.currentTarget.value)}
      />
      <Select
        label="Layout"
        data={Object.entries(LAYOUTS).map(([value, label]) => ({ value, label }))}
        value={layout}
        disabled={source !== null}
        onChange={(next) => next && setLayout(next as SymbolSourceLayout)}
      />
      <TextInput
        label="Address"
        description="What stands before the paths of the layout; admins alone see it."
        placeholder="https://symbols.example.com/"
        required
        value={url}
        error={faults.url}
        onChange={(e) => setUrl(e.currentTarget.value)}
      />
    </FormDialog>
  );
}
