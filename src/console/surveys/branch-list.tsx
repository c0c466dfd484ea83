import { Select, Text, TextInput } from '@mantine/core';
import { useFaultAt } from '../editor/faults.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { typing } from '../parts/fields/typing.js';
import { PartList } from '../parts/part-list.js';
import { PredicateField } from './predicate-field.js';
import { type BranchKind, branchOf, branchText, trimmed } from './predicate-words.js';
import type { BranchDraft, QuestionDraft } from './survey-draft.js';

const KINDS: Readonly<Record<BranchKind | 'text', string>> = {
  '=': 'is',
  '!=': 'is not',
  '>=': 'is at least',
  '<=': 'is at most',
  '>': 'is more than',
  '<': 'is less than',
  contains: 'includes the choice',
  answered: 'is answered',
  always: 'is anything',
  text: 'custom predicate',
};
const END = 'end';

interface BranchListProps {
  branches: readonly BranchDraft[];
  questions: readonly QuestionDraft[];
  disabled: boolean;
  onChange: (branches: readonly BranchDraft[]) => void;
}

/** Which answers lead where. Answers without a branch lead to the next question. */
export function BranchList({ branches, questions, disabled, onChange }: BranchListProps) {
  const faultAt = useFaultAt();
  const places = questions.map(({ id, prompt }, at) => ({ value: id, label: `${at + 1}. ${prompt || 'untitled'}` }));
  return (
    <PartList
      name="branch"
      parts={branches}
      disabled={disabled}
      onChange={onChange}
      fresh={() => ({ fromQuestionId: questions[0]?.id ?? '', predicate: 'answer >= 9', toQuestionId: null })}
      mayAdd={questions.length > 0}
      empty="Questions are asked in order. Add a branch to skip questions or end the survey based on an answer."
      align="baseline"
      isFramed
    >
      {(branch, change) => {
        const simple = branchOf(branch.predicate);
        const answer = (value: string) => simple && change({ predicate: branchText({ ...simple, value }) });
        return (
          <>
            <Text size="sm">If the answer to</Text>
            <Select
              aria-label="Question"
              data={places}
              value={branch.fromQuestionId}
              disabled={disabled}
              onChange={(id) => id && change({ fromQuestionId: id })}
              w={190}
            />
            <ChoiceSelect
              aria-label="Comparison"
              choices={KINDS}
              value={simple?.kind ?? 'text'}
              disabled={disabled}
              onChange={(kind) =>
                change({
                  predicate:
                    kind === 'text'
                      ? `AND(${branch.predicate}, always)`
                      : branchText({ kind, name: '', value: simple?.value ?? '' }),
                })
              }
              w={140}
            />
            <PredicateField
              predicate={branch.predicate}
              isOwn={simple === null}
              fault={faultAt(branch, 'predicate')}
              disabled={disabled}
              onChange={(predicate) => change({ predicate })}
            >
              {simple && simple.kind !== 'always' && simple.kind !== 'answered' && (
                <TextInput
                  aria-label="Answer"
                  {...typing(simple.value, answer)}
                  error={faultAt(branch, 'predicate')}
                  disabled={disabled}
                  onBlur={() => simple.kind !== 'contains' && trimmed(simple.value, answer)}
                  w={110}
                />
              )}
            </PredicateField>
            <Text size="sm">go to</Text>
            <Select
              aria-label="Leads to"
              data={[
                ...places.filter(({ value }) => value !== branch.fromQuestionId),
                { value: END, label: 'End of survey' },
              ]}
              value={branch.toQuestionId ?? END}
              disabled={disabled}
              onChange={(id) => id && change({ toQuestionId: id === END ? null : id })}
              w={190}
            />
          </>
        );
      }}
    </PartList>
  );
}
