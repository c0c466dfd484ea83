import { ActionIcon, Autocomplete, Button, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { type AudienceKind, audienceOf, audienceText } from './predicate-words.js';
import type { SurveyDraft } from './survey-draft.js';

const KINDS: Readonly<Record<AudienceKind | 'text', string>> = {
  session_count: 'came at least … times',
  event: 'has sent the event',
  cohort: 'is in the cohort',
  screen: 'sees the screen',
  props: 'has the property',
  text: 'own predicate',
};
const EVERYONE = 1000;

interface AudienceFormProps {
  rules: SurveyDraft['targetingRules'];
  cohorts: readonly string[];
  disabled: boolean;
  onChange: (rules: SurveyDraft['targetingRules']) => void;
}

/** Whom the survey asks: all of these must hold, and a share of those is drawn. */
export function AudienceForm({ rules, cohorts, disabled, onChange }: AudienceFormProps) {
  const set = (at: number, part: Partial<SurveyDraft['targetingRules'][number]>) =>
    onChange(rules.map((rule, index) => (index === at ? { ...rule, ...part } : rule)));
  return (
    <Stack gap="xs">
      {rules.length === 0 && (
        <Text size="sm" c="dimmed">
          Everybody is asked.
        </Text>
      )}
      {rules.map((rule, at) => {
        const simple = audienceOf(rule.predicate);
        const write = (part: { name?: string; value?: string }) =>
          simple && set(at, { predicate: audienceText({ ...simple, ...part }) });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity but their place
          <Group key={at} gap="xs" className="rule" align="flex-end" role="group" aria-label={`Condition ${at + 1}`}>
            <Select
              aria-label="Who"
              data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
              value={simple?.kind ?? 'text'}
              disabled={disabled}
              onChange={(kind) =>
                kind &&
                set(at, {
                  predicate:
                    kind === 'text'
                      ? `AND(${rule.predicate}, session_count >= 1)`
                      : audienceText({
                          kind: kind as AudienceKind,
                          name: kind === 'props' ? 'plan' : '',
                          value: kind === 'session_count' ? '3' : '',
                        }),
                })
              }
              w={180}
            />
            {simple === null && (
              <TextInput
                aria-label="Predicate"
                className="mono"
                value={rule.predicate}
                disabled={disabled}
                onChange={(e) => set(at, { predicate: e.currentTarget.value })}
                flex={1}
                miw={200}
              />
            )}
            {simple?.kind === 'session_count' && (
              <NumberInput
                aria-label="Sessions"
                min={1}
                value={Number(simple.value)}
                disabled={disabled}
                onChange={(next) => write({ value: String(next) })}
                w={80}
              />
            )}
            {simple?.kind === 'props' && (
              <TextInput
                aria-label="Property"
                value={simple.name}
                disabled={disabled}
                onChange={(e) => write({ name: e.currentTarget.value })}
                w={120}
              />
            )}
            {simple && simple.kind !== 'session_count' && (
              <Autocomplete
                aria-label="Name or value"
                data={simple.kind === 'cohort' ? [...cohorts] : []}
                value={simple.value}
                disabled={disabled}
                onChange={(value) => write({ value })}
                flex={1}
                miw={120}
              />
            )}
            <NumberInput
              label="Share of them"
              min={0}
              max={100}
              decimalScale={1}
              suffix=" %"
              value={(100 * rule.weightNumerator) / EVERYONE}
              disabled={disabled}
              onChange={(next) => set(at, { weightNumerator: Math.round((Number(next) / 100) * EVERYONE) })}
              w={100}
            />
            <ActionIcon
              aria-label={`Remove condition ${at + 1}`}
              disabled={disabled}
              onClick={() => onChange(rules.filter((_, index) => index !== at))}
            >
              ×
            </ActionIcon>
          </Group>
        );
      })}
      <Group>
        <Button
          variant="default"
          disabled={disabled}
          onClick={() => onChange([...rules, { predicate: 'session_count >= 3', weightNumerator: EVERYONE }])}
        >
          + Condition
        </Button>
      </Group>
    </Stack>
  );
}
