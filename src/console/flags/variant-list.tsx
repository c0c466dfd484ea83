import { TextInput } from '@mantine/core';
import { useFaultAt } from '../editor/faults.js';
import { typing } from '../parts/fields/typing.js';
import { PartList } from '../parts/part-list.js';
import { type VariantDraft, variantFault } from './flag-draft.js';

interface VariantListProps {
  variants: readonly VariantDraft[];
  disabled: boolean;
  onChange: (variants: VariantDraft[]) => void;
}

/** A flag's variants: the name that rules use and the value that apps get. */
export function VariantList({ variants, disabled, onChange }: VariantListProps) {
  const faultAt = useFaultAt();
  return (
    <PartList
      name="variant"
      parts={variants}
      keyOf={({ id }) => id}
      disabled={disabled}
      onChange={onChange}
      fresh={() => ({ id: Math.max(...variants.map(({ id }) => id)) + 1, key: '', text: '' })}
      fewest={1}
      align="flex-start"
    >
      {(variant, change, at) => (
        <>
          <TextInput
            aria-label={`Variant ${at + 1}`}
            placeholder="name"
            {...typing(variant.key, (key) => change({ key }))}
            error={faultAt(variant, 'key')}
            disabled={disabled}
            flex={1}
            className="mono"
          />
          <TextInput
            aria-label={`Value of variant ${at + 1}`}
            placeholder="text, number, true or JSON"
            {...typing(variant.text, (text) => change({ text }))}
            error={variantFault(variant) ?? faultAt(variant, 'value')}
            disabled={disabled}
            flex={2}
            className="mono"
          />
        </>
      )}
    </PartList>
  );
}
