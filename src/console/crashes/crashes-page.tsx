import { Badge, Checkbox, Group, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CrashIssuesDocument, type IssueRowFragment, ResolveIssuesDocument } from '#documents';
import { scopePath, useMay, useScope } from '../app/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Page } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { type Column, Rows } from '../parts/rows.js';
import { Empty } from '../parts/states.js';
import { useTypedSearch } from '../parts/use-typed-search.js';
import { When } from '../parts/when.js';
import { CrashTabs } from './crash-tabs.js';
import { Severity } from './severity.js';

/** Crashes with the same cause, the latest first. */
export function CrashesPage() {
  const scope = useScope();
  const { projectId, environment } = scope;
  const [search, change] = useSearchState();
  const [typed, setTyped] = useTypedSearch();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [resolve, resolving] = useChange(ResolveIssuesDocument);
  const mayResolve = useMay('catch_issue_resolve');
  const isResolved = search.show === 'resolved';
  const [field = 'lastSeenAt', direction = 'desc'] = (search.order ?? '').split('.').filter(Boolean);
  const pages = usePages(
    CrashIssuesDocument,
    {
      projectId,
      environment,
      search: search.q ?? null,
      filter: { status: { eq: isResolved ? 'resolved' : 'open' } },
      orderBy: { field: field as 'lastSeenAt', direction: direction as 'desc' },
    },
    ({ crashIssues }) => crashIssues,
  );
  const resolveChosen = async () => {
    const { error } = await resolve(
      { ids: [...chosen] },
      `${chosen.length} resolved; they come back if they happen again.`,
    );
    if (!error) setChosen([]);
  };
  const columns: Column<IssueRowFragment>[] = [
    {
      name: 'Issue',
      width: 'minmax(0, 4fr)',
      cell: ({ title, culprit }) => (
        <div className="cut">
          <strong>{title}</strong> <span className="soft mono">{culprit}</span>
        </div>
      ),
    },
    {
      name: 'Level',
      width: '70px',
      wideOnly: true,
      cell: ({ severity }) => <Severity level={severity} />,
    },
    {
      name: 'Events',
      width: '64px',
      field: 'eventCount',
      cell: ({ eventCount }) => Number(eventCount).toLocaleString('en'),
    },
    {
      name: 'Release',
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ lastRelease }) => <span className="mono cut">{lastRelease ?? ''}</span>,
    },
    { name: 'Last', width: '120px', field: 'lastSeenAt', cell: ({ lastSeenAt }) => <When at={lastSeenAt} /> },
    {
      name: 'Select',
      width: '52px',
      wideOnly: true,
      cell: ({ id, title }) =>
        isResolved ? null : (
          <Checkbox
            className="above"
            size="xs"
            aria-label={`Select ${title}`}
            checked={chosen.includes(id)}
            onChange={(e) => setChosen(e.currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ),
    },
  ];
  return (
    <Page
      title="Crashes"
      flush
      actions={
        chosen.length > 0 ? (
          <Permitted may={mayResolve} onClick={resolveChosen} loading={resolving}>
            Resolve {chosen.length}
          </Permitted>
        ) : null
      }
    >
      <CrashTabs here="issues" />
      <Group gap="xs" mb="sm">
        <TextInput
          placeholder="Title or place"
          aria-label="Search issues"
          value={typed}
          onChange={(e) => setTyped(e.currentTarget.value)}
          w={{ base: '100%', sm: 260 }}
        />
        <SegmentedControl
          aria-label="Which issues"
          data={[
            { value: 'open', label: 'Open' },
            { value: 'resolved', label: 'Resolved' },
          ]}
          value={isResolved ? 'resolved' : 'open'}
          onChange={(value) => change({ show: value === 'open' ? null : value })}
        />
      </Group>
      <Rows
        label="Crash issues"
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => scopePath(scope, 'crashes', id)}
        order={{ field, isDescending: direction === 'desc' }}
        onOrder={(next) => change({ order: `${next}.${next === field && direction === 'desc' ? 'asc' : 'desc'}` })}
        empty={
          search.q || isResolved ? (
            <Empty title="No issue fits">Other words may find it.</Empty>
          ) : (
            <Empty title="No open crash" action={<Badge color="teal">quiet</Badge>}>
              SDKs send crashes to <code>/api/catch/events</code>. With symbols uploaded, frames have names and lines,
              and crashes with the same cause become one issue.
            </Empty>
          )
        }
      />
    </Page>
  );
}
