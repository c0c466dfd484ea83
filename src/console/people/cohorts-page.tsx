import { Group } from '@mantine/core';
import { useState } from 'react';
import { type CohortRowFragment, CohortsDocument, DeleteCohortDocument } from '#documents';
import { isolated } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { EventTabs } from '../events/event-tabs.js';
import { EditDelete } from '../parts/edit-delete.js';
import { Page } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { firstWords } from '../parts/rows/first-words.js';
import { type Column, Rows } from '../parts/rows/rows.js';
import { SearchField } from '../parts/rows/search-field.js';
import { Empty } from '../parts/states.js';
import { When } from '../parts/when.js';
import { CohortForm } from './cohort-form.js';

/** A short summary of a cohort's members. */
function whoOf({ predicate, distinctIds, rules }: CohortRowFragment): string {
  if (predicate !== null) return predicate;
  const count = rules?.length ?? 0;
  const ruled = count === 0 ? [] : [count === 1 ? '1 rule' : `${count} rules`];
  return [...ruled, ...(distinctIds ?? [])].join(', ');
}

export function CohortsPage() {
  const { projectId } = useScope();
  const may = useMay('cohort_change');
  const [editing, setEditing] = useState<Partial<CohortRowFragment> | null>(null);
  const [remove] = useChange(DeleteCohortDocument, { quiet: true });
  const [{ q }] = useSearchState();
  const pages = usePages(CohortsDocument, { projectId, search: q ?? null }, ({ cohorts }) => cohorts);
  const create = (
    <Permitted may={may} onClick={() => setEditing({})}>
      New cohort
    </Permitted>
  );
  const columns: Column<CohortRowFragment>[] = [
    {
      name: 'Cohort',
      width: 'minmax(0, 2fr)',
      cell: ({ name, description }) => (
        <div dir="auto" className="cut">
          <strong>{name}</strong> <span className="soft">{description}</span>
        </div>
      ),
    },
    {
      name: 'Who',
      width: 'minmax(0, 2fr)',
      wideOnly: true,
      cell: (cohort) => <div className="mono cut">{firstWords(whoOf(cohort))}</div>,
    },
    { name: 'Changed', width: '120px', wideOnly: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
    {
      name: 'Actions',
      width: '130px',
      cell: (cohort) => (
        <Group gap={4} wrap="nowrap">
          <EditDelete
            may={may}
            what={isolated(cohort.name)}
            goesAlong={['Flag and config rules that use it no longer match anyone.']}
            remove={() => remove({ id: cohort.id }, `${isolated(cohort.name)} deleted.`)}
            onEdit={() => setEditing(cohort)}
          />
        </Group>
      ),
    },
  ];
  return (
    <Page title="Events" section="Cohorts" flush actions={create}>
      <EventTabs here="cohorts" />
      <Group mb="sm">
        <SearchField label="Search cohorts" placeholder="Name or description" />
      </Group>
      <Rows
        label="Cohorts"
        pages={pages}
        columns={columns}
        empty={
          q ? (
            <Empty title="No matching cohorts">Try a different search.</Empty>
          ) : (
            <Empty title="No cohorts yet" action={create}>
              A cohort is a group of people defined by rules, by a predicate over their properties, or by a list of ids.
              Flag and config rules can target it by name.
            </Empty>
          )
        }
      />
      {editing && <CohortForm cohort={editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}
