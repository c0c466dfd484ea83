import { Badge, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ArchiveSurveysDocument, CreateSurveyDocument, SurveysDocument, type SurveysQuery } from '#documents';
import { scopePath, useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { useOpened } from '../data/use-opened.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { NameField } from '../parts/fields/name-field.js';
import { FormDialog } from '../parts/form-dialog.js';
import { Page } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { ArchiveChosen } from '../parts/rows/archive-chosen.js';
import { Choice, useChoice } from '../parts/rows/choice.js';
import { useChoosingColumn } from '../parts/rows/choosing.js';
import { type Column, Rows } from '../parts/rows/rows.js';
import { SearchField } from '../parts/rows/search-field.js';
import { type Chosen, useChosen } from '../parts/rows/use-chosen.js';
import { Empty } from '../parts/states.js';
import { capitalized } from '../parts/text.js';
import { When } from '../parts/when.js';
import { useTakeOut } from './use-take-out.js';

type SurveyRow = NonNullable<SurveysQuery['surveys']>['nodes'][number];

const COLOURS = { draft: 'gray', published: 'teal', closed: 'yellow', archived: 'gray' } as const;

export function SurveyState({ status }: { status: SurveyRow['status'] }) {
  return <Badge color={COLOURS[status]}>{capitalized(status)}</Badge>;
}

const KINDS: Readonly<Record<SurveyRow['kind'], string>> = {
  nps: 'NPS',
  csat: 'Satisfaction',
  rating: 'Rating',
  likert: 'Agreement',
  custom: 'Custom',
};

const COLUMNS: Column<SurveyRow>[] = [
  {
    name: 'Survey',
    width: 'minmax(0, 3fr)',
    cell: ({ name }) => (
      <div dir="auto" className="cut">
        {name}
      </div>
    ),
  },
  { name: 'State', width: '90px', cell: ({ status }) => <SurveyState status={status} /> },
  { name: 'Kind', width: '92px', wideOnly: true, cell: ({ kind }) => KINDS[kind] },
  { name: 'Changed', width: '130px', wideOnly: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
];

const SHOWN = { current: 'Current', archived: 'Archived' } as const;

const STATUSES: Readonly<Record<keyof typeof SHOWN, SurveyRow['status'][]>> = {
  current: ['draft', 'published', 'closed'],
  archived: ['archived'],
};

/** All surveys in the project; live and test responses are kept apart. */
export function SurveysPage() {
  const scope = useScope();
  const [search] = useSearchState();
  const show = useChoice('show', SHOWN);
  const may = useMay('pulse_survey_change');
  const [creates, open, close] = useOpened('new', may);
  const variables = {
    projectId: scope.projectId,
    search: search.q ?? null,
    filter: { status: { in: STATUSES[show] } },
  };
  const pages = usePages(SurveysDocument, variables, ({ surveys }) => surveys);
  const chosen = useChosen(variables, pages.rows);
  const mayChoose = may && show !== 'archived';
  const columns = useChoosingColumn(COLUMNS, mayChoose ? chosen : null, 'name');
  const create = (
    <Permitted may={may} onClick={open}>
      New survey
    </Permitted>
  );
  return (
    <Page
      title="Surveys"
      flush
      actions={
        <>
          <ArchiveSurveys chosen={chosen} rows={pages.rows} />
          {create}
        </>
      }
    >
      <Group gap="xs" mb="sm">
        <SearchField label="Search surveys" placeholder="Name" />
        <Choice label="Status" name="show" choices={SHOWN} />
      </Group>
      <Rows
        label="Surveys"
        pages={pages}
        columns={columns}
        to={({ id }) => scopePath(scope, 'surveys', id)}
        empty={
          search.q || show === 'archived' ? (
            <Empty title="No matching surveys">Try a different search.</Empty>
          ) : (
            <Empty title="No surveys yet" action={create}>
              Ask people questions inside your app, after an action or a number of visits.
            </Empty>
          )
        }
      />
      {creates && <CreateSurvey onClose={close} />}
    </Page>
  );
}

function ArchiveSurveys({ chosen, rows }: { chosen: Chosen; rows: readonly SurveyRow[] }) {
  const may = useMay('pulse_survey_change');
  const [archive] = useChange(ArchiveSurveysDocument, { quiet: true });
  const [takeOut] = useTakeOut();
  const takeOutAsIn = (before: readonly SurveyRow[]) => (id: string) => {
    const survey = before.find((row) => row.id === id);
    return Promise.resolve(survey && takeOut(survey, true));
  };
  return (
    <ArchiveChosen
      chosen={chosen}
      one="survey"
      goesAlong={[
        'Apps stop showing them, and responses still on their way are refused.',
        'You keep their responses, results and history.',
        'You can unarchive them later, as drafts.',
      ]}
      may={may}
      archive={archive}
      takeOut={takeOutAsIn(rows)}
    />
  );
}

const FIRST_QUESTION = {
  nps: 'How likely are you to recommend us to a friend?',
  csat: 'How satisfied are you?',
  likert: 'Do you agree that this was easy?',
  rating: 'How many stars would you give us?',
  text: 'What could we do better?',
} as const;

function CreateSurvey({ onClose }: { onClose: () => void }) {
  const scope = useScope();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<keyof typeof FIRST_QUESTION>('nps');
  const [create] = useChange(CreateSurveyDocument, { quiet: true });
  const save = () => {
    const questions = [{ kind, prompt: FIRST_QUESTION[kind], required: true }];
    return create({ input: { projectId: scope.projectId, name, kind: kind === 'text' ? 'custom' : kind, questions } });
  };
  return (
    <FormDialog
      title="New survey"
      action="Create survey"
      save={save}
      main="name"
      onClose={onClose}
      onSaved={({ createSurvey: survey }) => {
        if (survey)
          void navigate({
            to: scopePath(scope, 'surveys', survey.id),
            search: { tab: 'questions' } as never,
            replace: true,
          });
      }}
    >
      {(faultOf) => (
        <>
          <NameField value={name} onChange={setName} error={faultOf('name')} />
          <ChoiceSelect label="First question" choices={FIRST_QUESTION} value={kind} onChange={setKind} />
        </>
      )}
    </FormDialog>
  );
}
