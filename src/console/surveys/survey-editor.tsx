import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { type QuestionKind, type SurveyWholeFragment, UpdateSurveyDocument } from '#documents';
import { useChange } from '../data/use-document.js';
import { SaveBar } from '../editor/save-bar.js';
import { useDraft } from '../editor/use-draft.js';
import { Panel } from '../parts/page.js';

const KINDS: QuestionKind[] = ['nps', 'csat', 'rating', 'likert', 'text', 'select', 'multiselect', 'boolean', 'date'];

interface QuestionDraft {
  /** The server gives one to a new question. */
  id?: string;
  kind: QuestionKind;
  prompt: string;
  required: boolean;
  options: string[];
}

interface SurveyDraft {
  name: string;
  questions: QuestionDraft[];
  rules: { predicate: string; weightNumerator: number }[];
}

const draftOf = ({ name, questions, targetingRules }: SurveyWholeFragment): SurveyDraft => ({
  name,
  questions: questions.map(({ id, kind, prompt, required, options }) => ({
    id,
    kind,
    prompt,
    required,
    options: options ?? [],
  })),
  rules: targetingRules.map(({ predicate, weightNumerator }) => ({ predicate, weightNumerator })),
});

/** What a question keeps that this form does not show. */
function keptOf(survey: SurveyWholeFragment, id: string | undefined) {
  const kept = survey.questions.find((question) => question.id === id);
  if (!kept) return {};
  const { helpText, scaleMin, scaleMax, maxLength } = kept;
  return { helpText, scaleMin, scaleMax, maxLength };
}

/** What is asked, in which order, and whom. */
export function SurveyEditor({ survey }: { survey: SurveyWholeFragment }) {
  const [update] = useChange(UpdateSurveyDocument, { quiet: true });
  const draft = useDraft<SurveyDraft>({
    stored: draftOf(survey),
    version: survey.version,
    save: ({ name, questions, rules }, expectedVersion) =>
      update(
        {
          input: {
            id: survey.id,
            expectedVersion,
            name,
            targetingRules: rules,
            questions: questions.map(({ options, ...question }, orderIndex) => ({
              ...keptOf(survey, question.id),
              ...question,
              orderIndex,
              ...(question.kind === 'select' || question.kind === 'multiselect' ? { options } : {}),
            })),
          },
        },
        'Saved.',
      ),
  });
  const { value, change } = draft;
  const disabled = !survey.viewerCan.includes('pulse_survey_change');
  const set = (at: number, part: Partial<QuestionDraft>) =>
    change({ questions: value.questions.map((one, index) => (index === at ? { ...one, ...part } : one)) });
  const move = (from: number, to: number) => {
    const questions = [...value.questions];
    const [moved] = questions.splice(from, 1);
    if (moved) questions.splice(to, 0, moved);
    change({ questions });
  };
  return (
    <>
      <Panel title="Survey">
        <TextInput
          label="Name"
          value={value.name}
          disabled={disabled}
          onChange={(e) => change({ name: e.currentTarget.value })}
        />
      </Panel>
      <Panel title="Questions">
        <Stack gap="sm">
          {value.questions.map((question, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a new question has no identity but its place
            <section className="rule" key={at} aria-label={`Question ${at + 1}`}>
              <Group gap="xs" align="flex-end" wrap="wrap">
                <TextInput
                  label={`Question ${at + 1}`}
                  value={question.prompt}
                  disabled={disabled}
                  onChange={(e) => set(at, { prompt: e.currentTarget.value })}
                  flex={1}
                  miw={200}
                />
                <Select
                  aria-label={`Kind of question ${at + 1}`}
                  data={KINDS}
                  value={question.kind}
                  disabled={disabled || question.id !== undefined}
                  onChange={(kind) => kind && set(at, { kind: kind as QuestionKind })}
                  w={120}
                />
                <Checkbox
                  label="Must be answered"
                  size="xs"
                  pb={8}
                  checked={question.required}
                  disabled={disabled}
                  onChange={(e) => set(at, { required: e.currentTarget.checked })}
                />
                <ActionIcon
                  aria-label={`Move question ${at + 1} up`}
                  disabled={disabled || at === 0}
                  onClick={() => move(at, at - 1)}
                >
                  ↑
                </ActionIcon>
                <ActionIcon
                  aria-label={`Remove question ${at + 1}`}
                  disabled={disabled}
                  onClick={() => change({ questions: value.questions.filter((_, index) => index !== at) })}
                >
                  ×
                </ActionIcon>
              </Group>
              {(question.kind === 'select' || question.kind === 'multiselect') && (
                <TagsInput
                  label="Choices"
                  value={question.options}
                  disabled={disabled}
                  onChange={(options) => set(at, { options })}
                  acceptValueOnBlur
                  mt={6}
                />
              )}
            </section>
          ))}
          <Group>
            <Button
              variant="default"
              disabled={disabled}
              onClick={() =>
                change({ questions: [...value.questions, { kind: 'text', prompt: '', required: false, options: [] }] })
              }
            >
              + Question
            </Button>
          </Group>
          {survey.branchingRules.length > 0 && (
            <Text size="sm" c="dimmed">
              {survey.branchingRules.length} branches lead from answers to questions; they stay as they are.
            </Text>
          )}
        </Stack>
      </Panel>
      <Panel title="Who is asked">
        <Stack gap="xs">
          {value.rules.map((rule, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity but their place
            <Group key={at} gap="xs" align="flex-end">
              <TextInput
                label="Predicate"
                placeholder="session_count >= 3"
                className="mono"
                value={rule.predicate}
                disabled={disabled}
                onChange={(e) =>
                  change({
                    rules: value.rules.map((one, index) =>
                      index === at ? { ...one, predicate: e.currentTarget.value } : one,
                    ),
                  })
                }
                flex={1}
              />
              <NumberInput
                label="Of a thousand"
                min={0}
                max={1000}
                value={rule.weightNumerator}
                disabled={disabled}
                onChange={(next) =>
                  change({
                    rules: value.rules.map((one, index) =>
                      index === at ? { ...one, weightNumerator: Number(next) } : one,
                    ),
                  })
                }
                w={110}
              />
              <ActionIcon
                aria-label={`Remove predicate ${at + 1}`}
                disabled={disabled}
                onClick={() => change({ rules: value.rules.filter((_, index) => index !== at) })}
              >
                ×
              </ActionIcon>
            </Group>
          ))}
          <Group>
            <Button
              variant="default"
              disabled={disabled}
              onClick={() =>
                change({ rules: [...value.rules, { predicate: 'session_count >= 3', weightNumerator: 1000 }] })
              }
            >
              + Predicate
            </Button>
          </Group>
        </Stack>
      </Panel>
      <SaveBar draft={draft} takesNote={false} />
    </>
  );
}
