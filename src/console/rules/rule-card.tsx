import { Button, Collapse, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useFaultAt } from '../editor/faults.js';
import { ArrangeButtons } from '../parts/fields/arrange.js';
import { NumberField } from '../parts/fields/number-field.js';
import { typing } from '../parts/fields/typing.js';
import { ConditionList } from './condition-list.js';
import type { RuleDraft } from './rule-draft.js';
import type { ServesInput } from './serves-input.js';
import { SplitEditor } from './split-editor.js';

interface RuleCardProps {
  rule: RuleDraft;
  at: number;
  count: number;
  disabled: boolean;
  serves: ServesInput;
  onChange: (rule: RuleDraft) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** A rule: who it matches, what percentage of them, and what they get. */
export function RuleCard({ rule, at, count, disabled, serves, onChange, onMove, onRemove }: RuleCardProps) {
  const [showsMore, { toggle }] = useDisclosure(Boolean(rule.bucketBy || rule.salt));
  const faultAt = useFaultAt();
  const { conditions, percentage, split } = rule;
  const isSplit = split !== null;
  return (
    <section className="rule" aria-label={`Rule ${at + 1}`}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600}>
            {at + 1}. {conditions.length === 0 ? 'Everyone' : 'If all conditions match'}
          </Text>
          <ArrangeButtons
            what={`rule ${at + 1}`}
            at={at}
            count={count}
            disabled={disabled}
            onMove={onMove}
            onRemove={onRemove}
          />
        </Group>
        <ConditionList
          conditions={conditions}
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
            error={faultAt(rule, 'percentage')}
            disabled={disabled}
            w={110}
          />
          {split ? (
            <SplitEditor
              split={split}
              fault={faultAt(rule, 'split')}
              serves={serves}
              disabled={disabled}
              onChange={(next) => onChange({ ...rule, split: next })}
            />
          ) : (
            serves(rule.serves, (value) => onChange({ ...rule, serves: value }), 'They get', faultAt(rule, 'serves'))
          )}
        </Group>
        <Collapse expanded={showsMore}>
          <Group gap="xs">
            <TextInput
              label="Bucket by"
              placeholder="distinct_id"
              {...typing(rule.bucketBy ?? '', (text) => onChange({ ...rule, bucketBy: text || null }))}
              error={faultAt(rule, 'bucketBy')}
              disabled={disabled}
            />
            <TextInput
              label="Salt"
              placeholder="the key"
              {...typing(rule.salt ?? '', (text) => onChange({ ...rule, salt: text || null }))}
              error={faultAt(rule, 'salt')}
              disabled={disabled}
            />
          </Group>
        </Collapse>
      </Stack>
    </section>
  );
}
