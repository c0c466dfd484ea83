import { ActionIcon, Button, Collapse, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { NumberField } from '../parts/fields/number-field.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { ConditionList } from './condition-list.js';
import type { RuleDraft } from './rule-draft.js';
import type { ServesInput } from './serves-input.js';
import { SplitEditor } from './split-editor.js';

interface RuleCardProps {
  rule: RuleDraft;
  at: number;
  count: number;
  cohorts: readonly string[];
  disabled: boolean;
  serves: ServesInput;
  onChange: (rule: RuleDraft) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** A rule: who it matches, what percentage of them, and what they get. */
export function RuleCard({ rule, at, count, cohorts, disabled, serves, onChange, onMove, onRemove }: RuleCardProps) {
  const [showsMore, { toggle }] = useDisclosure(Boolean(rule.bucketBy || rule.salt));
  const { conditions, percentage, split } = rule;
  const isSplit = split !== null;
  return (
    <section className="rule" aria-label={`Rule ${at + 1}`}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600}>
            {at + 1}. {conditions.length === 0 ? 'Everyone' : 'If all conditions match'}
          </Text>
          <Group gap={2} wrap="nowrap">
            <ActionIcon
              aria-label="Move rule up"
              onClick={() => onMove(at - 1)}
              disabled={disabled || at === 0}
              renderRoot={keepsFocus}
            >
              ↑
            </ActionIcon>
            <ActionIcon
              aria-label="Move rule down"
              onClick={() => onMove(at + 1)}
              disabled={disabled || at === count - 1}
              renderRoot={keepsFocus}
            >
              ↓
            </ActionIcon>
            <ActionIcon aria-label="Remove rule" onClick={onRemove} disabled={disabled}>
              ×
            </ActionIcon>
          </Group>
        </Group>
        <ConditionList
          conditions={conditions}
          cohorts={cohorts}
          disabled={disabled}
          onChange={(next) => onChange({ ...rule, conditions: next })}
        >
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={disabled}
            onClick={() =>
              onChange({
                ...rule,
                split: isSplit
                  ? null
                  : [
                      { serves: rule.serves, weight: 50 },
                      { serves: rule.serves, weight: 50 },
                    ],
              })
            }
          >
            {isSplit ? 'Serve a single value' : 'Split by percentage'}
          </Button>
          <Button variant="subtle" size="compact-xs" onClick={toggle} aria-expanded={showsMore}>
            Bucketing
          </Button>
        </ConditionList>
        <Group gap="xs" align="flex-start">
          <NumberField
            label="Percentage"
            suffix="%"
            min={0}
            max={100}
            decimalScale={3}
            value={percentage}
            onChange={(share) => onChange({ ...rule, percentage: share })}
            disabled={disabled}
            w={110}
          />
          {split ? (
            <SplitEditor
              split={split}
              serves={serves}
              disabled={disabled}
              onChange={(next) => onChange({ ...rule, split: next })}
            />
          ) : (
            serves(rule.serves, (value) => onChange({ ...rule, serves: value }), 'They get')
          )}
        </Group>
        <Collapse expanded={showsMore}>
          <Group gap="xs">
            <TextInput
              label="Bucket by"
              placeholder="distinct_id"
              value={rule.bucketBy ?? ''}
              disabled={disabled}
              onChange={(e) => onChange({ ...rule, bucketBy: e.currentTarget.value || null })}
            />
            <TextInput
              label="Salt"
              placeholder="the key"
              value={rule.salt ?? ''}
              disabled={disabled}
              onChange={(e) => onChange({ ...rule, salt: e.currentTarget.value || null })}
            />
          </Group>
        </Collapse>
      </Stack>
    </section>
  );
}
