import { MultiSelect, Select } from '@mantine/core';
import { useState } from 'react';
import { FlagKeysDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { PartList } from '../parts/part-list.js';
import type { PrerequisiteDraft } from './flag-draft.js';

interface PrerequisiteListProps {
  flagKey: string;
  prerequisites: readonly PrerequisiteDraft[];
  disabled: boolean;
  onChange: (prerequisites: PrerequisiteDraft[]) => void;
}

/** Flags that must serve certain variants before this flag's rules apply. */
export function PrerequisiteList({ flagKey, prerequisites, disabled, onChange }: PrerequisiteListProps) {
  const { projectId, environment } = useScope();
  const [search, setSearch] = useState('');
  const { data } = useDocument(
    FlagKeysDocument,
    { projectId, environment, search: search || null },
    { pause: prerequisites.length === 0, standsIn: true },
  );
  const flags = data?.flags?.nodes.filter(({ key }) => key !== flagKey) ?? [];
  const variantsOf = (key: string) =>
    flags.find((flag) => flag.key === key)?.variants.map((variant) => variant.key) ?? [];
  return (
    <PartList
      name="flag"
      parts={prerequisites}
      disabled={disabled}
      onChange={onChange}
      fresh={() => ({ key: '', variants: [] })}
      empty="This flag doesn't depend on other flags."
      align="flex-start"
    >
      {({ key, variants }, change, at) => (
        <>
          <Select
            aria-label={`Flag ${at + 1}`}
            placeholder="Flag"
            data={[...new Set([...flags.map((flag) => flag.key), ...(key ? [key] : [])])]}
            value={key || null}
            searchable
            onSearchChange={setSearch}
            onChange={(next) => next && change({ key: next, variants: [] })}
            disabled={disabled}
            flex={1}
          />
          <MultiSelect
            aria-label={`Variants of flag ${at + 1}`}
            placeholder={variants.length === 0 ? 'must serve one of' : undefined}
            data={[...new Set([...variantsOf(key), ...variants])]}
            value={[...variants]}
            onChange={(next) => change({ variants: next })}
            disabled={disabled}
            flex={1}
          />
        </>
      )}
    </PartList>
  );
}
