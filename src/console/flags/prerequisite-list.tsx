import { ActionIcon, Button, Group, MultiSelect, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FlagKeysDocument } from '#documents';
import { useScope } from '../app/scope.js';
import { useDocument } from '../data/use-document.js';
import type { PrerequisiteDraft } from './flag-draft.js';

interface PrerequisiteListProps {
  flagKey: string;
  prerequisites: readonly PrerequisiteDraft[];
  disabled: boolean;
  onChange: (prerequisites: PrerequisiteDraft[]) => void;
}

/** Flags that must serve something before this one decides by its rules. */
export function PrerequisiteList({ flagKey, prerequisites, disabled, onChange }: PrerequisiteListProps) {
  const { projectId, environment } = useScope();
  const [search, setSearch] = useState('');
  const { data } = useDocument(FlagKeysDocument, { projectId, environment, search: search || null });
  const flags = data?.flags?.nodes.filter(({ key }) => key !== flagKey) ?? [];
  const variantsOf = (key: string) =>
    flags.find((flag) => flag.key === key)?.variants.map((variant) => variant.key) ?? [];
  const change = (at: number, part: Partial<PrerequisiteDraft>) =>
    onChange(prerequisites.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <Stack gap={6}>
      {prerequisites.length === 0 && (
        <Text size="sm" c="dimmed">
          No other flag has to be on for this one.
        </Text>
      )}
      {prerequisites.map(({ key, variants }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a prerequisite has no identity but its place while its flag is chosen
        <Group key={at} gap={6} wrap="nowrap" align="flex-start">
          <Select
            aria-label={`Flag ${at + 1}`}
            data={[...new Set([...flags.map((flag) => flag.key), ...(key ? [key] : [])])]}
            value={key || null}
            searchable
            onSearchChange={setSearch}
            onChange={(next) => next && change(at, { key: next, variants: [] })}
            disabled={disabled}
            flex={1}
          />
          <MultiSelect
            aria-label={`Variants of flag ${at + 1}`}
            placeholder={variants.length === 0 ? 'serves one of' : undefined}
            data={[...new Set([...variantsOf(key), ...variants])]}
            value={[...variants]}
            onChange={(next) => change(at, { variants: next })}
            disabled={disabled}
            flex={1}
          />
          <ActionIcon
            aria-label={`Remove flag ${at + 1}`}
            disabled={disabled}
            onClick={() => onChange(prerequisites.filter((_, index) => index !== at))}
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
          onClick={() => onChange([...prerequisites, { key: '', variants: [] }])}
        >
          + Flag
        </Button>
      </div>
    </Stack>
  );
}
