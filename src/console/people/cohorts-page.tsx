import { Button, Group, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  CohortsDocument,
  type CohortsQuery,
  CreateCohortDocument,
  DeleteCohortDocument,
  UpdateCohortDocument,
} from '#documents';
import { useMay, useScope } from '../app/scope.js';
import { fieldFaults, messageOf } from '../data/failures.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { EventTabs } from '../events/event-tabs.js';
import { Confirmed } from '../parts/confirmed.js';
import { Page } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { type Column, Rows } from '../parts/rows.js';
import { Empty } from '../parts/states.js';
import { When } from '../parts/when.js';

type Cohort = NonNullable<CohortsQuery['cohorts']>['nodes'][number];

/** Named sets of people, for rules. */
export function CohortsPage() {
  const { projectId } = useScope();
  const may = useMay('cohort_change');
  const [editing, setEditing] = useState<Partial<Cohort> | null>(null);
  const [remove] = useChange(DeleteCohortDocument);
  const pages = usePages(CohortsDocument, { projectId }, ({ cohorts }) => cohorts);
  const create = (
    <Permitted may={may} onClick={() => setEditing({})}>
      New cohort
    </Permitted>
  );
  const columns: Column<Cohort>[] = [
    {
      name: 'Cohort',
      width: 'minmax(0, 2fr)',
      cell: ({ name, description }) => (
        <div className="cut">
          <strong>{name}</strong> <span className="soft">{description}</span>
        </div>
      ),
    },
    {
      name: 'Who',
      width: 'minmax(0, 2fr)',
      wideOnly: true,
      cell: ({ predicate, distinctIds }) => <div className="mono cut">{predicate ?? distinctIds?.join(', ')}</div>,
    },
    { name: 'Changed', width: '120px', wideOnly: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
    {
      name: 'Actions',
      width: '130px',
      cell: (cohort) => (
        <Group gap={4} wrap="nowrap">
          <Permitted may={may} variant="subtle" size="compact-xs" onClick={() => setEditing(cohort)}>
            Edit
          </Permitted>
          <Confirmed
            may={may}
            size="compact-xs"
            variant="subtle"
            color="red"
            action="Delete"
            what={cohort.name}
            goesAlong={['Rules of flags and config that name it hold for nobody from then on.']}
            run={() => remove({ id: cohort.id }, `${cohort.name} is deleted.`)}
          />
        </Group>
      ),
    },
  ];
  return (
    <Page title="Events" flush actions={create}>
      <EventTabs here="cohorts" />
      <Rows
        label="Cohorts"
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No cohort yet" action={create}>
            A cohort names people by a predicate over their properties, or by a list of ids. Rules of flags and config
            ask for it by its name.
          </Empty>
        }
      />
      {editing && <CohortForm cohort={editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

function CohortForm({ cohort, onClose }: { cohort: Partial<Cohort>; onClose: () => void }) {
  const { projectId } = useScope();
  const [name, setName] = useState(cohort.name ?? '');
  const [description, setDescription] = useState(cohort.description ?? '');
  const [predicate, setPredicate] = useState(cohort.predicate ?? '');
  const [ids, setIds] = useState(cohort.distinctIds ?? []);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [create, creating] = useChange(CreateCohortDocument, { quiet: true });
  const [update, updating] = useChange(UpdateCohortDocument, { quiet: true });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const who = predicate ? { predicate } : { distinctIds: ids };
    const input = { name, description, ...who };
    const { error } = cohort.id
      ? await update({ input: { id: cohort.id, ...input } }, 'Saved.')
      : await create({ input: { projectId, ...input } }, `${name} is there.`);
    if (!error) return onClose();
    const fields = fieldFaults(error);
    setFaults(Object.keys(fields).length > 0 ? fields : { predicate: messageOf(error) });
  };
  return (
    <Modal opened onClose={onClose} title={<Text fw={600}>{cohort.id ? cohort.name : 'New cohort'}</Text>}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            data-autofocus
            required
            value={name}
            error={faults.name}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <TextInput label="Description" value={description} onChange={(e) => setDescription(e.currentTarget.value)} />
          <TextInput
            label="Predicate"
            description={'props.plan = "pro", AND(…), OR(…). Or leave it empty, and list ids.'}
            value={predicate}
            error={faults.predicate}
            onChange={(e) => setPredicate(e.currentTarget.value)}
            className="mono"
          />
          <TagsInput label="Distinct ids" value={ids} onChange={setIds} disabled={predicate !== ''} acceptValueOnBlur />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating || updating}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
