import { moved } from '../parts/fields/arrange.js';
import { typing } from '../parts/fields/typing.js';
import './surveys.css';
import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type SurveyWholeFragment, UpdateSurveyDocument } from '#documents';
import { useChange } from '../data/use-document.js';
import { FaultsContext } from '../editor/faults.js';
import { SaveBar } from '../editor/save-bar.js';
import { useDraft } from '../editor/use-draft.js';
import { NumberField } from '../parts/fields/number-field.js';
import { focusAdded } from '../parts/focus/focus-added.js';
import { Panel } from '../parts/page.js';
import { WhoMay } from '../parts/who-may.js';
import { AudienceForm } from './audience-form.js';
import { BranchGraph } from './branch-graph.js';
import { BranchList } from './branch-list.js';
import { QuestionCard } from './question-card.js';
import { newQuestion, type QuestionDraft, surveyDraftOf, surveyInputOf, withoutQuestion } from './survey-draft.js';
import { SurveyPreview } from './survey-preview.js';
import { ThemeForm } from './theme-form.js';
import { TranslationsForm } from './translations-form.js';

const DAY_SECONDS = 86_400;

/** Edits the questions, their order, the audience and the appearance, next to a live preview. */
export function SurveyEditor({ survey }: { survey: SurveyWholeFragment }) {
  const [update] = useChange(UpdateSurveyDocument, { quiet: true });
  const draft = useDraft({
    stored: surveyDraftOf(survey),
    version: survey.version,
    input: surveyInputOf,
    save: (changed, expectedVersion) => update({ input: { id: survey.id, expectedVersion, ...changed } }),
  });
  const { value, change, faultAt } = draft;
  const may = survey.viewerCan.includes('pulse_survey_change');
  const disabled = !may || survey.status === 'archived';
  const { questions } = value;
  const set = (id: string, part: Partial<QuestionDraft>) =>
    change({ questions: questions.map((one) => (one.id === id ? { ...one, ...part } : one)) });
  return (
    <FaultsContext value={faultAt}>
      <div className="two">
        <Stack gap={0}>
          <WhoMay may={may} weakest="editor" to="change the survey" />
          <Panel title="Questions">
            <Stack gap="sm">
              {questions.map((question, at) => (
                <QuestionCard
                  key={question.id}
                  question={question}
                  at={at}
                  count={questions.length}
                  disabled={disabled}
                  onChange={(part) => set(question.id, part)}
                  onMove={(to) => change({ questions: moved(questions, at, to) })}
                  onRemove={() => change(withoutQuestion(value, question.id))}
                />
              ))}
              <Group>
                <Button
                  variant="default"
                  disabled={disabled}
                  onClick={(event) =>
                    focusAdded(event, '.rule', () => change({ questions: [...questions, newQuestion()] }))
                  }
                >
                  + Question
                </Button>
              </Group>
            </Stack>
          </Panel>
          <Panel title="Branches">
            <BranchList
              branches={value.branchingRules}
              questions={questions}
              disabled={disabled}
              onChange={(branchingRules) => change({ branchingRules })}
            />
          </Panel>
          <Panel title="Audience">
            <AudienceForm
              rules={value.targetingRules}
              disabled={disabled}
              onChange={(targetingRules) => change({ targetingRules })}
            />
          </Panel>
          <Panel title="Translations">
            <TranslationsForm draft={value} disabled={disabled} onChange={(translations) => change({ translations })} />
          </Panel>
          <Panel title="About">
            <Stack gap="xs">
              <TextInput label="Name" {...typing(value.name, (name) => change({ name }))} disabled={disabled} />
              <Textarea
                label="Description"
                description="For your team"
                autosize
                minRows={1}
                {...typing(value.description, (description) => change({ description }))}
                disabled={disabled}
              />
              <Group gap="md" align="flex-end">
                <NumberField
                  label="Show after"
                  suffix=" s"
                  min={0}
                  decimalScale={1}
                  value={value.displayDelayMs / 1_000}
                  disabled={disabled}
                  onChange={(next) => change({ displayDelayMs: Math.round(next * 1_000) })}
                  w={110}
                />
                <NumberField
                  label="Don't repeat within"
                  suffix=" days"
                  min={0}
                  decimalScale={2}
                  value={value.displayCooldownSeconds / DAY_SECONDS}
                  disabled={disabled}
                  onChange={(next) => change({ displayCooldownSeconds: Math.round(next * DAY_SECONDS) })}
                  w={130}
                />
                <Checkbox
                  label="Show automatically"
                  size="xs"
                  pb={8}
                  checked={value.autoShow}
                  disabled={disabled}
                  onChange={(e) => change({ autoShow: e.currentTarget.checked })}
                />
              </Group>
            </Stack>
          </Panel>
          <SaveBar draft={draft} takesNote={false} />
        </Stack>
        <Stack gap={0} className="beside">
          <Panel title="Preview">
            <SurveyPreview draft={value} />
          </Panel>
          <Panel title="Flow">
            <BranchGraph questions={questions} branches={value.branchingRules} />
          </Panel>
          <Panel title="Appearance">
            <ThemeForm theme={value.theme} disabled={disabled} onChange={(theme) => change({ theme })} />
          </Panel>
        </Stack>
      </div>
    </FaultsContext>
  );
}
