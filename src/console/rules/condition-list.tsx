import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { focusAdded } from '../parts/focus/focus-added.js';
import { ConditionRow } from './condition-row.js';
import { type ConditionDraft, newCondition } from './rule-draft.js';

interface ConditionListProps {
  conditions: readonly ConditionDraft[];
  /** Conditions can't refer to cohorts here. */
  withoutCohorts?: boolean;
  disabled: boolean;
  onChange: (conditions: ConditionDraft[]) => void;
  /** Further actions on the rule. */
  children?: ReactNode;
}

/** A rule's conditions, all of which must match. */
export function ConditionList({
  conditions,
  withoutCohorts = false,
  disabled,
  onChange,
  children,
}: ConditionListProps) {
  return (
    <>
      {conditions.map((condition) => (
        <ConditionRow
          key={condition.id}
          condition={condition}
          withoutCohorts={withoutCohorts}
          disabled={disabled}
          onChange={(next) => onChange(conditions.map((one) => (one.id === next.id ? next : one)))}
          onRemove={() => onChange(conditions.filter(({ id }) => id !== condition.id))}
        />
      ))}
      <Group gap="xs">
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={disabled}
          onClick={(event) => focusAdded(event, '.condition', () => onChange([...conditions, newCondition()]))}
        >
          + Condition
        </Button>
        {children}
      </Group>
    </>
  );
}
