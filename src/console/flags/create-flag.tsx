import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateFlagDocument, type FlagKind } from '#documents';
import { useGoTo, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { ChoiceSegments } from '../parts/fields/choices.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';
import { type VariantDraft, variantFault, variantInputs } from './flag-draft.js';
import { FLAG_KINDS } from './flag-state.js';
import { VariantList } from './variant-list.js';

const TWO: readonly VariantDraft[] = [
  { id: 0, key: 'control', text: 'control' },
  { id: 1, key: 'treatment', text: 'treatment' },
];

/** Creates a flag, which serves its default to everyone until it has rules. */
export function CreateFlag({ onClose }: { onClose: () => void }) {
  const { projectId, environment } = useScope();
  const goTo = useGoTo({ replace: true });
  const [key, setKey] = useState('');
  const [description, setDescription] = useState('');
  const [kind, setKind] = useState<FlagKind>('boolean');
  const [variants, setVariants] = useState(TWO);
  const [create] = useChange(CreateFlagDocument, { quiet: true });
  const save = () => {
    const own = kind === 'variant' ? { variants: variantInputs(variants), defaultVariant: variants[0]?.key ?? '' } : {};
    return create({ input: { projectId, environment, key, description, kind, ...own } });
  };
  return (
    <FormDialog
      title={`New flag in ${environment}`}
      action="Create flag"
      may={kind !== 'variant' || !variants.some(variantFault)}
      because="A variant has an invalid value."
      save={save}
      main="key"
      onClose={onClose}
      onSaved={({ createFlag }) => goTo('flags', createFlag?.key ?? key)}
    >
      {(faultOf) => (
        <>
          <TextInput
            label="Key"
            description="The key your code uses. You can't change it later."
            data-autofocus
            required
            {...typing(key, setKey)}
            error={faultOf('key')}
            className="mono"
          />
          <Textarea
            label="Description"
            autosize
            minRows={2}
            {...typing(description, setDescription)}
            error={faultOf('description')}
          />
          <ChoiceSegments aria-label="Kind" choices={FLAG_KINDS} value={kind} onChange={setKind} />
          {kind === 'variant' && <VariantList variants={variants} disabled={false} onChange={setVariants} />}
        </>
      )}
    </FormDialog>
  );
}
