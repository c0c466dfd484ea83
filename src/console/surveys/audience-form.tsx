import { Autocomplete, TextInput } from '@mantine/core';
import { useFaultAt } from '../editor/faults.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { NumberField } from '../parts/fields/number-field.js';
import { typing } from '../parts/fields/typing.js';
import { PartList } from '../parts/part-list.js';
import { useCohorts } from '../rules/use-cohorts.js';
import { PredicateField } from './predicate-field.js';
import { type AudienceKind, audienceOf, audienceText, EVERYONE, trimmed } from './predicate-words.js';
import type { SurveyDraft } from './survey-draft.js';

const KINDS: Readonly<Record<AudienceKind | 'text', string>> = {
  session_count: 'has at least … sessions',
  event: 'has triggered the event',
  cohort: 'is in the cohort',
  screen: 'is on the screen',
  props: 'has the property',
  text: 'custom predicate',
};

interface AudienceFormProps {
  rules: SurveyDraft['targetingRules'];
  disabled: boolean;
  onChange: (rules: SurveyDraft['targetingRules']) => void;
}

/** Who gets the survey: all of these must match, and a percentage of those people is drawn. */
export function AudienceForm({ rules, disabled, onChange }: AudienceFormProps) {
  const faultAt = useFaultAt();
  const cohorts = useCohorts(rules.some(({ predicate }) => audienceOf(predicate)?.kind === 'cohort'));
  return (
    <PartList
      name="condition"
      parts={rules}
      disabled={disabled}
      onChange={onChange}
      fresh={() => ({ predicate: 'session_count >= 3', weightNumerator: EVERYONE })}
      empty="Everyone gets this survey."
      align="flex-end"
      isFramed
    >
      {(rule, change) => {
        const simple = audienceOf(rule.predicate);
        const fault = faultAt(rule, 'predicate');
        const isNameless = simple?.kind === 'props' && simple.name === '';
        const write = (part: { name?: string; value?: string }) =>
          simple && change({ predicate: audienceText({ ...simple, ...part }) });
        return (
          <>
            <ChoiceSelect
              aria-label="Condition"
              choices={KINDS}
              value={simple?.kind ?? 'text'}
              disabled={disabled}
              onChange={(kind) =>
                change({
                  predicate:
                    kind === 'text'
                      ? `AND(${rule.predicate}, session_count >= 1)`
                      : audienceText({
                          kind,
                          name: kind === 'props' ? 'plan' : '',
                          value: kind === 'session_count' ? '3' : '',
                        }),
                })
              }
              w={180}
            />
            <PredicateField
              predicate={rule.predicate}
              isOwn={simple === null}
              fault={fault}
              disabled={disabled}
              onChange={(predicate) => change({ predicate })}
            >
              {simple?.kind === 'session_count' && (
                <NumberField
                  aria-label="Sessions"
                  min={1}
                  value={Number(simple.value)}
                  error={fault}
                  disabled={disabled}
                  onChange={(next) => write({ value: String(next) })}
                  w={80}
                />
              )}
              {simple?.kind === 'props' && (
                <TextInput
                  aria-label="Property"
                  {...typing(simple.name, (name) => write({ name }))}
                  error={isNameless && fault}
                  disabled={disabled}
                  onBlur={() => trimmed(simple.name, (next) => write({ name: next }))}
                  w={120}
                />
              )}
              {simple && simple.kind !== 'session_count' && (
                <Autocomplete
                  aria-label="Name or value"
                  {...(simple.kind === 'cohort' ? { data: cohorts.data } : {})}
                  value={simple.value}
                  error={!isNameless && fault}
                  disabled={disabled}
                  onChange={(value) => {
                    write({ value });
                    if (simple.kind === 'cohort') cohorts.onSearchChange(value);
                  }}
                  onBlur={() => simple.kind !== 'props' && trimmed(simple.value, (value) => write({ value }))}
                  flex={1}
                  miw={120}
                />
              )}
            </PredicateField>
            <NumberField
              label="Percentage"
              min={0}
              max={100}
              decimalScale={1}
              suffix="%"
              value={(100 * rule.weightNumerator) / EVERYONE}
              error={faultAt(rule, 'weightNumerator')}
              disabled={disabled}
              onChange={(next) => change({ weightNumerator: Math.round((next / 100) * EVERYONE) })}
              w={100}
            />
          </>
        );
      }}
    </PartList>
  );
}
