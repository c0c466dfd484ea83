import { Group, NumberInput, Select, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  BoardTriageRulesDocument,
  type BoardTriageRulesQuery,
  CreateTriageRuleDocument,
  DeleteTriageRuleDocument,
  type ScoreComparison,
  TriageSurveysDocument,
  UpdateTriageRuleDocument,
} from '#documents';
import { isolated } from '../data/notify.js';
import { useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { ConfirmedLoss } from '../parts/confirmed.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { useChoices } from '../parts/fields/use-choices.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { More } from '../parts/rows/more.js';
import { NoRows } from '../parts/rows/no-rows.js';
import { WhoMay } from '../parts/who-may.js';

const COMPARISONS: Readonly<Record<ScoreComparison, string>> = {
  lt: 'below',
  lte: 'at most',
  eq: 'exactly',
  gte: 'at least',
  gt: 'above',
};
type Rule = NonNullable<BoardTriageRulesQuery['board']>['triageRules']['nodes'][number];

/** Decides which survey responses automatically become tickets on the board. */
export function TriageRules({ boardId, may }: { boardId: string; may: boolean }) {
  const pages = usePages(BoardTriageRulesDocument, { id: boardId }, (data) => data.board?.triageRules);
  return (
    <Panel title="Tickets from surveys">
      <NoRows pages={pages} expected={2}>
        No rules yet. A rule creates a ticket for each response with a score that needs attention.
      </NoRows>
      {pages.rows.map((rule) => (
        <RuleRow key={rule.id} rule={rule} may={may} />
      ))}
      <More pages={pages}>Load more rules</More>
      <WhoMay may={may} weakest="editor" to="create rules">
        <NewRule boardId={boardId} />
      </WhoMay>
    </Panel>
  );
}

function RuleRow({ rule: { id, survey, comparison, score }, may }: { rule: Rule; may: boolean }) {
  const [update] = useChange(UpdateTriageRuleDocument);
  const [remove] = useChange(DeleteTriageRuleDocument, { quiet: true });
  const [typed, setTyped] = useState<string | number | null>(null);
  const name = survey?.name ?? 'a deleted survey';
  const write = async () => {
    const next = Number(typed);
    if (typed !== null && typed !== '' && Number.isInteger(next) && next !== score)
      await update({ input: { id, score: next } }, 'Saved.');
    setTyped((now) => (now === typed ? null : now));
  };
  return (
    <div className="entry">
      <Group gap="xs">
        <Text size="sm">
          <bdi>{name}</bdi>, score
        </Text>
        <ChoiceSelect
          aria-label={`Comparison for ${name}`}
          choices={COMPARISONS}
          value={comparison}
          disabled={!may}
          onChange={(next) =>
            update({ input: { id, comparison: next } }, 'Saved.', () => update({ input: { id, comparison } }))
          }
          w={110}
        />
        <NumberInput
          aria-label={`Score for ${name}`}
          value={typed ?? score}
          allowDecimal={false}
          disabled={!may}
          onChange={setTyped}
          onBlur={write}
          w={80}
        />
      </Group>
      <ConfirmedLoss
        may={may}
        action="Delete"
        what="the rule"
        goesAlong={[`Responses to ${isolated(name)} no longer create tickets here. Existing tickets stay.`]}
        run={() => remove({ id }, 'Rule deleted.')}
      />
    </div>
  );
}

function NewRule({ boardId }: { boardId: string }) {
  const { projectId } = useScope();
  const [survey, setSurvey] = useState<{ id: string; name: string } | null>(null);
  const { rows, search } = useChoices(TriageSurveysDocument, { projectId }, ({ surveys }) => surveys, {
    chosen: survey,
  });
  const [comparison, setComparison] = useState<ScoreComparison>('lte');
  const [score, setScore] = useState<string | number>(6);
  const [create, creating] = useChange(CreateTriageRuleDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!survey || score === '') return;
    const { error } = await create(
      { input: { boardId, surveyId: survey.id, comparison, score: Number(score) } },
      'Rule added. New responses can now create tickets.',
    );
    if (!error) setSurvey((now) => (now === survey ? null : now));
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" mt="sm">
        <Select
          label="Responses to"
          placeholder={rows.length === 0 ? 'No surveys yet' : 'Choose a survey'}
          searchable
          data={rows.map(({ id, name }) => ({ value: id, label: name }))}
          onSearchChange={search}
          value={survey?.id ?? null}
          onChange={(id) => setSurvey(rows.find((row) => row.id === id) ?? null)}
        />
        <ChoiceSelect label="with a score" choices={COMPARISONS} value={comparison} onChange={setComparison} w={110} />
        <NumberInput aria-label="Score" allowDecimal={false} value={score} onChange={setScore} w={80} />
        <Permitted
          may={survey !== null && score !== ''}
          because={survey === null ? 'Choose a survey first.' : 'Enter a score first.'}
          type="submit"
          loading={creating}
        >
          Create rule
        </Permitted>
      </Group>
    </form>
  );
}
