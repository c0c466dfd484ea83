import { MultiSelect, Select } from '@mantine/core';
import { FlagKeysDocument, NeededFlagDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { useChoices } from '../parts/fields/use-choices.js';
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
      {(prerequisite, change, at) => (
        <Prerequisite
          flagKey={flagKey}
          prerequisite={prerequisite}
          number={at + 1}
          disabled={disabled}
          onChange={change}
        />
      )}
    </PartList>
  );
}

interface PrerequisiteProps {
  flagKey: string;
  prerequisite: PrerequisiteDraft;
  /** Its place in the list, from 1. */
  number: number;
  disabled: boolean;
  onChange: (prerequisite: PrerequisiteDraft) => void;
}

/** A flag, and those of its variants that will do. */
function Prerequisite({ flagKey, prerequisite: { key, variants }, number, disabled, onChange }: PrerequisiteProps) {
  const { projectId, environment } = useScope();
  const place = { projectId, environment };
  const { data } = useDocument(
    NeededFlagDocument,
    { ...place, key },
    { pause: key === '', requestPolicy: 'cache-first' },
  );
  const chosen = data?.flagByKey;
  const { rows, search } = useChoices(FlagKeysDocument, place, ({ flags }) => flags, { chosen });
  const keys = rows.map((flag) => flag.key).filter((other) => other !== flagKey);
  const possible = rows.find((flag) => flag.key === key)?.variants ?? [];
  return (
    <>
      <Select
        aria-label={`Flag ${number}`}
        placeholder="Flag"
        data={[...new Set([...keys, ...(key ? [key] : [])])]}
        value={key || null}
        searchable
        onSearchChange={search}
        nothingFoundMessage="No matching flags."
        onChange={(next) => next && onChange({ key: next, variants: [] })}
        disabled={disabled}
        flex={1}
      />
      <MultiSelect
        aria-label={`Variants of flag ${number}`}
        placeholder={variants.length === 0 ? 'must serve one of' : undefined}
        data={[...new Set([...possible.map((variant) => variant.key), ...variants])]}
        value={[...variants]}
        onChange={(next) => onChange({ key, variants: next })}
        disabled={disabled}
        flex={1}
      />
    </>
  );
}
