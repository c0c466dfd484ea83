import { Checkbox, Group, TagsInput, TextInput } from '@mantine/core';
import type { QuestionKind } from '#documents';
import { ArrangeButtons } from '../parts/fields/arrange.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { NumberField } from '../parts/fields/number-field.js';
import { typing } from '../parts/fields/typing.js';
import { type QuestionDraft, takesOptions } from './survey-draft.js';

const KINDS: Readonly<Record<QuestionKind, string>> = {
  nps: 'NPS, 0 to 10',
  csat: 'Satisfaction, 1 to 5',
  rating: 'Rating',
  likert: 'Agreement',
  text: 'Free text',
  select: 'Single choice',
  multiselect: 'Multiple choice',
  boolean: 'Yes/no',
  date: 'Date',
};

interface QuestionCardProps {
  question: QuestionDraft;
  at: number;
  count: number;
  disabled: boolean;
  onChange: (part: Partial<QuestionDraft>) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

export function QuestionCard({ question, at, count, disabled, onChange, onMove, onRemove }: QuestionCardProps) {
  const place = at + 1;
  const number = (label: string, name: 'scaleMin' | 'scaleMax' | 'maxLength', usual: number, least: number) => (
    <NumberField
      label={label}
      placeholder={String(usual)}
      value={question[name] ?? undefined}
      min={least}
      disabled={disabled}
      onChange={(next) => onChange({ [name]: next })}
      onEmpty={() => onChange({ [name]: null })}
      w={130}
    />
  );
  return (
    <section className="rule" aria-label={`Question ${place}`}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={`Question ${place}`}
          {...typing(question.prompt, (prompt) => onChange({ prompt }))}
          disabled={disabled}
          flex={1}
          miw={0}
        />
        <ArrangeButtons
          what={`question ${place}`}
          at={at}
          count={count}
          disabled={disabled}
          onMove={onMove}
          onRemove={onRemove}
        />
      </Group>
      <Group gap="xs" align="flex-end" mt={6}>
        <ChoiceSelect
          aria-label={`Kind of question ${place}`}
          choices={KINDS}
          value={question.kind}
          disabled={disabled}
          onChange={(kind) => onChange({ kind })}
          w={170}
        />
        <TextInput
          aria-label={`Help for question ${place}`}
          placeholder="Help text"
          {...typing(question.helpText, (helpText) => onChange({ helpText }))}
          disabled={disabled}
          flex={1}
          miw={160}
        />
        <Checkbox
          label="Required"
          size="xs"
          pb={8}
          checked={question.required}
          disabled={disabled}
          onChange={(e) => onChange({ required: e.currentTarget.checked })}
        />
      </Group>
      {takesOptions(question) && (
        <TagsInput
          label="Choices"
          placeholder="Press Enter after each"
          value={[...question.options]}
          disabled={disabled}
          onChange={(options) => onChange({ options })}
          acceptValueOnBlur
          mt={6}
        />
      )}
      <Group gap="xs" mt={6}>
        {question.kind === 'likert' && number('From', 'scaleMin', 1, 0)}
        {question.kind === 'likert' && number('To', 'scaleMax', 7, 1)}
        {question.kind === 'rating' && number('Stars', 'scaleMax', 5, 2)}
        {question.kind === 'text' && number('Max. length', 'maxLength', 2000, 1)}
      </Group>
    </section>
  );
}
