import { TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  CreateSourceDocument,
  type SourceRowFragment,
  type SymbolSourceLayout,
  UpdateSourceDocument,
} from '#documents';
import { isolated } from '../data/notify.js';
import { useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { changedOf } from '../editor/changed.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { NameField } from '../parts/fields/name-field.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';

export const LAYOUTS: Readonly<Record<SymbolSourceLayout, string>> = {
  debuginfod: 'debuginfod',
  microsoft: 'Microsoft symbol server',
  breakpad: 'Breakpad',
};

/** Adds or edits a symbol server. The layout of an existing one can't change. */
export function SourceForm({ source, onClose }: { source: SourceRowFragment | null; onClose: () => void }) {
  const { projectId } = useScope();
  const before = { name: source?.name ?? '', url: source?.url ?? '' };
  const [name, setName] = useState(before.name);
  const [layout, setLayout] = useState<SymbolSourceLayout>(source?.layout ?? 'debuginfod');
  const [url, setUrl] = useState(before.url);
  const [create] = useChange(CreateSourceDocument, { quiet: true });
  const [update] = useChange(UpdateSourceDocument, { quiet: true });
  const save = () =>
    source
      ? update({ input: { id: source.id, ...changedOf(before, { name, url }) } }, 'Saved.')
      : create({ input: { projectId, name, layout, url } }, `${isolated(name)} added.`);
  return (
    <FormDialog
      title={source ? source.name : 'New symbol source'}
      action={source ? 'Save' : 'Add source'}
      save={save}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          <NameField value={name} onChange={setName} error={faultOf('name')} />
          <ChoiceSelect
            label="Layout"
            choices={LAYOUTS}
            value={layout}
            disabled={source !== null}
            onChange={setLayout}
          />
          <TextInput
            label="Address"
            description="The base URL that the layout's paths are added to. Only admins can see it."
            placeholder="https://symbols.example.com/"
            required
            {...typing(url, setUrl)}
            error={faultOf('url')}
          />
        </>
      )}
    </FormDialog>
  );
}
