import { ActionIcon, Button, Group, NumberInput, Stack } from '@mantine/core';
import type { ShareDraft } from './rule-draft.js';
import type { ServesInput } from './serves-input.js';

interface SplitEditorProps {
  split: readonly ShareDraft[];
  serves: ServesInput;
  disabled: boolean;
  onChange: (split: ShareDraft[]) => void;
}

/** Several values by weight; a re-weighting moves as few people as it can. */
export function SplitEditor({ split, serves, disabled, onChange }: SplitEditorProps) {
  const total = split.reduce((sum, { weight }) => sum + weight, 0);
  const change = (at: number, part: Partial<ShareDraft>) =>
    onChange(split.map((share, index) => (index === at ? { ...share, ...part } : share)));
  return (
    <Stack gap={6} className="split">
      {split.map((share, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shares have no identity but their place
        <Group key={at} gap={6} wrap="nowrap" align="flex-end">
          {serves(share.serves, (value) => change(at, { serves: value }), `Share ${at + 1}`)}
          <NumberInput
            aria-label={`Weight of share ${at + 1}`}
            min={0}
            value={share.weight}
            onChange={(value) => change(at, { weight: Number(value) })}
            suffix={total > 0 ? `  (${((share.weight / total) * 100).toFixed(1)} %)` : ''}
            disabled={disabled}
            w={130}
          />
          <ActionIcon
            aria-label={`Remove share ${at + 1}`}
            disabled={disabled || split.length < 2}
            onClick={() => onChange(split.filter((_, index) => index !== at))}
          >
            ×
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={disabled}
          onClick={() => onChange([...split, { serves: split[0]?.serves ?? '', weight: 0 }])}
        >
          + Share
        </Button>
      </Group>
    </Stack>
  );
}
