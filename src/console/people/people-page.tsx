import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { PeopleDocument, type PeopleQuery } from '#documents';
import { scopePath, useGoTo, useScope } from '../app/scope.js';
import { usePages } from '../data/use-pages.js';
import { EventTabs } from '../events/event-tabs.js';
import { Page } from '../parts/page.js';
import { type Column, Rows } from '../parts/rows.js';
import { Empty } from '../parts/states.js';
import { When } from '../parts/when.js';

type PersonRow = NonNullable<PeopleQuery['people']>['nodes'][number];

const COLUMNS: Column<PersonRow>[] = [
  {
    name: 'Person',
    width: 'minmax(0, 2fr)',
    cell: ({ distinctIds }) => <div className="mono cut">{distinctIds.join(', ')}</div>,
  },
  {
    name: 'Properties',
    width: 'minmax(0, 3fr)',
    wideOnly: true,
    cell: ({ properties }) => <div className="mono cut soft">{JSON.stringify(properties)}</div>,
  },
  { name: 'Changed', width: '130px', cell: ({ updatedAt }) => <When at={updatedAt} /> },
];

/** Whom apps have told of. */
export function PeoplePage() {
  const scope = useScope();
  const goTo = useGoTo();
  const [id, setId] = useState('');
  const { projectId, environment } = scope;
  const pages = usePages(PeopleDocument, { projectId, environment, properties: null }, ({ people }) => people);
  return (
    <Page title="Events" flush>
      <EventTabs here="people" />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (id) goTo('people', id);
        }}
      >
        <TextInput
          placeholder="A distinct id, then Enter"
          aria-label="Distinct id"
          value={id}
          onChange={(e) => setId(e.currentTarget.value)}
          mb="sm"
          maw={300}
        />
      </form>
      <Rows
        label="People"
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id: key }) => key}
        to={({ distinctIds }) => scopePath(scope, 'people', distinctIds[0] ?? '')}
        empty={<Empty title="Nobody yet">A person appears with their first event or property.</Empty>}
      />
    </Page>
  );
}
