import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { NumberField } from '../parts/fields/number-field.js';
import { ConditionList } from '../rules/condition-list.js';
import { newRule, type RuleDraft } from '../rules/rule-draft.js';

interface CohortRulesProps {
  rules: readonly RuleDraft[];
  onChange: (rules: RuleDraft[]) => void;
}

/** Rules of a cohort: whoever one of them covers is in it. They serve nothing, so their order does not matter. */
export function CohortRules({ rules, onChange }: CohortRulesProps) {
  const replace = (next: RuleDraft) => onChange(rules.map((one) => (one.id === next.id ? next : one)));
  return (
    <Stack gap="xs">
      {rules.map((rule, at) => (
        <section className="rule" key={rule.id} aria-label={`Rule ${at + 1}`}>
          <Stack gap="xs">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" fw={600}>
                {rule.conditions.length === 0 ? 'Everyone' : 'Where all of these hold'}
              </Text>
              <ActionIcon
                aria-label="Remove the rule"
                onClick={() => onChange(rules.filter(({ id }) => id !== rule.id))}
              >
                ×
              </ActionIcon>
            </Group>
            <ConditionList
              conditions={rule.conditions}
              cohorts={null}
              disabled={false}
              onChange={(conditions) => replace({ ...rule, conditions })}
            />
            <NumberField
              label="Share of them"
              suffix=" %"
              min={0}
              max={100}
              decimalScale={3}
              value={rule.percentage}
              onChange={(percentage) => replace({ ...rule, percentage })}
              w={110}
            />
          </Stack>
        </section>
      ))}
      <div>
        <Button variant="default" size="compact-sm" onClick={() => onChange([...rules, newRule('')])}>
          + Rule
        </Button>
      </div>
    </Stack>
  );
}
