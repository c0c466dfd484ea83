import { Group } from '@mantine/core';
import { PeopleDocument, type PeopleQuery } from '#documents';
import { scopePath, useScope } from '../data/scope.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { EventTabs } from '../events/event-tabs.js';
import { Page } from '../parts/page.js';
import { type Column, Rows } from '../parts/rows/rows.js';
import { SearchField } from '../parts/rows/search-field.js';
import { Empty } from '../parts/states.js';
import { When } from '../parts/when.js';

type PersonRow = NonNullable<PeopleQuery['people']>['nodes'][number];

/** As much as fits on a line. */
const beginning = (properties: Record<string, unknown>): [string, string][] =>
  Object.entries(properties)
    .slice(0, 20)
    .map(([name, value]) => [name, (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)]);

const COLUMNS: Column<PersonRow>[] = [
  {
    name: 'Person',
    width: 'minmax(0, 2fr)',
    cell: ({ distinctIds }) => (
      <div dir="auto" className="mono cut">
        {distinctIds.join(', ')}
      </div>
    ),
  },
  {
    name: 'Properties',
    width: 'minmax(0, 3fr)',
    wideOnly: true,
    cell: ({ properties }) => (
      <div className="cut">
        {beginning(properties as Record<string, unknown>).map(([name, value]) => (
          <span key={name} className="pair">
            <span className="soft">{name}</span> <bdi>{value}</bdi>
          </span>
        ))}
      </div>
    ),
  },
  { name: 'Changed', width: '130px', narrow: '100px', cell: ({ updatedAt }) => <When at={updatedAt} /> },
];

export function PeoplePage() {
  const scope = useScope();
  const [search] = useSearchState();
  const { projectId, environment } = scope;
  const pages = usePages(PeopleDocument, { projectId, environment, search: search.q ?? null }, ({ people }) => people);
  return (
    <Page title="Events" section="People" flush>
      <EventTabs here="people" />
      <Group mb="sm">
        <SearchField
          label="Search people"
          placeholder="Full id, or start of an email or name"
          w={{ base: '100%', sm: 380 }}
        />
      </Group>
      <Rows
        label="People"
        pages={pages}
        columns={COLUMNS}
        to={({ distinctIds }) => scopePath(scope, 'people', distinctIds[0] ?? '')}
        empty={
          search.q ? (
            <Empty title="No matching people">
              Search by a full id, or by the start of the email or name property.
            </Empty>
          ) : (
            <Empty title="No people yet">
              People appear here once an app sends properties for them, or joins one id with another. Events alone don't
              make a person.
            </Empty>
          )
        }
      />
    </Page>
  );
}
