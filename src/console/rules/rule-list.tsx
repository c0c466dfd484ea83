import { Button, Stack } from '@mantine/core';
import { moved } from '../parts/fields/arrange.js';
import { focusAdded } from '../parts/focus/focus-added.js';
import { Muted } from '../parts/text.js';
import { RuleCard } from './rule-card.js';
import { newRule, type RuleDraft } from './rule-draft.js';
import type { ServesInput } from './serves-input.js';

interface RuleListProps {
  rules: readonly RuleDraft[];
  disabled: boolean;
  serves: ServesInput;
  /** What a new rule serves initially. */
  firstServes: string;
  onChange: (rules: RuleDraft[]) => void;
}

/** Rules in order: the first that applies decides. */
export function RuleList({ rules, disabled, serves, firstServes, onChange }: RuleListProps) {
  return (
    <Stack gap="sm">
      {rules.length === 0 && <Muted>No rules. Everyone gets the default.</Muted>}
      {rules.map((rule, at) => (
        <RuleCard
          key={rule.id}
          rule={rule}
          at={at}
          count={rules.length}
          disabled={disabled}
          serves={serves}
          onChange={(next) => onChange(rules.map((one) => (one.id === next.id ? next : one)))}
          onMove={(to) => onChange(moved(rules, at, to))}
          onRemove={() => onChange(rules.filter(({ id }) => id !== rule.id))}
        />
      ))}
      <div>
        <Button
          variant="default"
          disabled={disabled}
          onClick={(event) => focusAdded(event, '.rule', () => onChange([...rules, newRule(firstServes)]))}
        >
          + Rule
        </Button>
      </div>
    </Stack>
  );
}
