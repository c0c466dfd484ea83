import { Button, Group, Stack, Text } from '@mantine/core';
import { useFaultAt } from '../editor/faults.js';
import { RemoveButton } from '../parts/fields/arrange.js';
import { NumberField } from '../parts/fields/number-field.js';
import { ConditionList } from '../rules/condition-list.js';
import { newRule, type RuleDraft } from '../rules/rule-draft.js';

interface CohortRulesProps {
  rules: readonly RuleDraft[];
  onChange: (rules: RuleDraft[]) => void;
}

/** A cohort's rules. Anyone a rule covers is in the cohort; rules serve nothing, so their order doesn't matter. */
export function CohortRules({ rules, onChange }: CohortRulesProps) {
  const faultAt = useFaultAt();
  const replace = (next: RuleDraft) => onChange(rules.map((one) => (one.id === next.id ? next : one)));
  return (
    <Stack gap="xs">
      {rules.map((rule, at) => (
        <section className="rule" key={rule.id} aria-label={`Rule ${at + 1}`}>
          <Stack gap="xs">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" fw={600}>
                {rule.conditions.length === 0 ? 'Everyone' : 'If all conditions match'}
              </Text>
              <RemoveButton what="rule" onClick={() => onChange(rules.filter(({ id }) => id !== rule.id))} />
            </Group>
            <ConditionList
              conditions={rule.conditions}
              withoutCohorts
              disabled={false}
              onChange={(conditions) => replace({ ...rule, conditions })}
            />
            <NumberField
              label="Percentage"
              suffix="%"
              min={0}
              max={100}
              decimalScale={3}
              value={rule.percentage}
              onChange={(percentage) => replace({ ...rule, percentage })}
              error={faultAt(rule, 'percentage')}
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
