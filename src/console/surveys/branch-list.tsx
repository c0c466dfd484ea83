import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { type BranchKind, branchOf, branchText } from './predicate-words.js';
import type { BranchDraft, QuestionDraft } from './survey-draft.js';

const KINDS: Readonly<Record<BranchKind | 'text', string>> = {
  '=': 'is',
  '!=': 'is not',
  '>=': 'is at least',
  '<=': 'is at most',
  '>': 'is more than',
  '<': 'is less than',
  contains: 'has the choice',
  answered: 'is given',
  always: 'does not matter',
  text: 'own predicate',
};
const END = 'end';

interface BranchListProps {
  branches: readonly BranchDraft[];
  questions: readonly QuestionDraft[];
  disabled: boolean;
  onChange: (branches: readonly BranchDraft[]) => void;
}

/** Which answers lead where; an answer that no branch names leads to the next question. */
export function BranchList({ branches, questions, disabled, onChange }: BranchListProps) {
  const places = questions.map(({ id, prompt }, at) => ({ value: id, label: `${at + 1}. ${prompt || 'no text yet'}` }));
  const set = (at: number, part: Partial<BranchDraft>) =>
    onChange(branches.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <Stack gap="sm">
      {branches.length === 0 && (
        <Text size="sm" c="dimmed">
          Every question follows the one before. A branch skips some, or ends the survey, by the answer.
        </Text>
      )}
      {branches.map((branch, at) => {
        const simple = branchOf(branch.predicate);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: branches have no identity but their place
          <Group key={at} gap="xs" className="rule" role="group" aria-label={`Branch ${at + 1}`}>
            <Text size="sm">If the answer to</Text>
            <Select
              aria-label="Question"
              data={places}
              value={branch.fromQuestionId}
              disabled={disabled}
              onChange={(id) => id && set(at, { fromQuestionId: id })}
              w={190}
            />
            <Select
              aria-label="Comparison"
              data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
              value={simple?.kind ?? 'text'}
              disabled={disabled}
              onChange={(kind) =>
                kind &&
                set(at, {
                  predicate:
                    kind === 'text'
                      ? `OR(${branch.predicate}, always)`
                      : branchText({ kind: kind as BranchKind, name: '', value: simple?.value ?? '' }),
                })
              }
              w={140}
            />
            {simple === null && (
              <TextInput
                aria-label="Predicate"
                className="mono"
                value={branch.predicate}
                disabled={disabled}
                onChange={(e) => set(at, { predicate: e.currentTarget.value })}
                flex={1}
                miw={200}
              />
            )}
            {simple && simple.kind !== 'always' && simple.kind !== 'answered' && (
              <TextInput
                aria-label="Answer"
                value={simple.value}
                disabled={disabled}
                onChange={(e) => set(at, { predicate: branchText({ ...simple, value: e.currentTarget.value }) })}
                w={110}
              />
            )}
            <Text size="sm">go to</Text>
            <Select
              aria-label="Leads to"
              data={[
                ...places.filter(({ value }) => value !== branch.fromQuestionId),
                { value: END, label: 'The end' },
              ]}
              value={branch.toQuestionId ?? END}
              disabled={disabled}
              onChange={(id) => id && set(at, { toQuestionId: id === END ? null : id })}
              w={190}
            />
            <ActionIcon
              aria-label={`Remove branch ${at + 1}`}
              disabled={disabled}
              onClick={() => onChange(branches.filter((_, index) => index !== at))}
            >
              ×
            </ActionIcon>
          </Group>
        );
      })}
      <Group>
        <Button
          variant="default"
          disabled={disabled || questions.length === 0}
          onClick={() =>
            onChange([
              ...branches,
              { fromQuestionId: questions[0]?.id ?? '', predicate: 'answer >= 9', toQuestionId: null },
            ])
          }
        >
          + Branch
        </Button>
      </Group>
    </Stack>
  );
}
