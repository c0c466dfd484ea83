import { TextInput } from '@mantine/core';
import { PartList } from '../parts/part-list.js';
import { textOf, typedValue } from '../rules/typed-values.js';
import type { VariantDraft } from './flag-draft.js';

interface VariantListProps {
  variants: readonly VariantDraft[];
  disabled: boolean;
  onChange: (variants: VariantDraft[]) => void;
}

/** The variants of a flag: the name that rules use, the value that apps get. */
export function VariantList({ variants, disabled, onChange }: VariantListProps) {
  return (
    <PartList
      name="variant"
      parts={variants}
      disabled={disabled}
      onChange={onChange}
      fresh={() => ({ key: '', value: '' })}
      fewest={1}
    >
      {(variant, change, at) => (
        <>
          <TextInput
            aria-label={`Variant ${at + 1}`}
            placeholder="name"
            value={variant.key}
            disabled={disabled}
            onChange={(e) => change({ key: e.currentTarget.value })}
            flex={1}
            className="mono"
          />
          <TextInput
            aria-label={`Value of variant ${at + 1}`}
            placeholder="text, number, true or JSON"
            defaultValue={textOf(variant.value)}
            disabled={disabled}
            onBlur={(e) => change({ value: typedValue(e.currentTarget.value) })}
            flex={2}
            className="mono"
          />
        </>
      )}
    </PartList>
  );
}
