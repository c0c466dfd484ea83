import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { textOf, typedValue } from '../rules/typed-values.js';
import type { VariantDraft } from './flag-draft.js';

interface VariantListProps {
  variants: readonly VariantDraft[];
  disabled: boolean;
  onChange: (variants: VariantDraft[]) => void;
}

/** The variants of a flag: the name that rules use, the value that apps get. */
export function VariantList({ variants, disabled, onChange }: VariantListProps) {
  const change = (at: number, part: Partial<VariantDraft>) =>
    onChange(variants.map((variant, index) => (index === at ? { ...variant, ...part } : variant)));
  return (
    <Stack gap={6}>
      {variants.map((variant, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a variant has no identity but its place while its key is typed
        <Group key={at} gap={6} wrap="nowrap">
          <TextInput
            aria-label={`Variant ${at + 1}`}
            placeholder="name"
            value={variant.key}
            disabled={disabled}
            onChange={(e) => change(at, { key: e.currentTarget.value })}
            flex={1}
            className="mono"
          />
          <TextInput
            aria-label={`Value of variant ${at + 1}`}
            placeholder="text, number, true or JSON"
            defaultValue={textOf(variant.value)}
            disabled={disabled}
            onBlur={(e) => change(at, { value: typedValue(e.currentTarget.value) })}
            flex={2}
            className="mono"
          />
          <ActionIcon
            aria-label={`Remove variant ${at + 1}`}
            disabled={disabled || variants.length < 2}
            onClick={() => onChange(variants.filter((_, index) => index !== at))}
          >
            ×
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={disabled}
          onClick={() => onChange([...variants, { key: '', value: '' }])}
        >
          + Variant
        </Button>
      </div>
    </Stack>
  );
}
