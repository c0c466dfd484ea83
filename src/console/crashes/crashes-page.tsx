import { Badge, Group, Switch } from '@mantine/core';
import {
  type CrashIssueFilter,
  CrashIssuesDocument,
  type IssueRowFragment,
  MeDocument,
  MergeIssuesDocument,
  ResolveIssuesDocument,
  UnmergeIssueDocument,
} from '#documents';
import { scopePath, useMay, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { useOrder } from '../data/use-order.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Page } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { Choice, useChoice } from '../parts/rows/choice.js';
import { useChoosingColumn } from '../parts/rows/choosing.js';
import { Rows } from '../parts/rows/rows.js';
import { SearchField } from '../parts/rows/search-field.js';
import { type Chosen, useChosen } from '../parts/rows/use-chosen.js';
import { Empty } from '../parts/states.js';
import { WhoMay } from '../parts/who-may.js';
import { CrashTabs } from './crash-tabs.js';
import { useReopening } from './issue-actions.js';
import { ISSUE_COLUMNS } from './issue-columns.js';

const SHOWN = { open: 'Open', ignored: 'Ignored', resolved: 'Resolved' } as const;

type Shown = keyof typeof SHOWN;

const FILTERS: Readonly<Record<Shown, CrashIssueFilter>> = {
  open: { status: { eq: 'open' }, ignored: { eq: false } },
  ignored: { status: { eq: 'open' }, ignored: { eq: true } },
  resolved: { status: { eq: 'resolved' } },
};

/** Crash issues, latest first. */
export function CrashesPage() {
  const scope = useScope();
  const { projectId, environment } = scope;
  const [search, change] = useSearchState();
  const { data } = useDocument(MeDocument, {}, { requestPolicy: 'cache-first' });
  const me = data?.viewer?.user?.id ?? null;
  const mayChoose = [useMay('catch_issue_resolve'), useMay('catch_issue_triage')].includes(true);
  const shown = useChoice('show', SHOWN);
  const { orderBy, order, onOrder } = useOrder(['lastSeenAt', 'eventCount'], 'desc');
  const variables = {
    projectId,
    environment,
    search: search.q ?? null,
    filter: { ...FILTERS[shown], ...(search.mine && me ? { assigneeId: { eq: me } } : {}) },
    orderBy,
  };
  const pages = usePages(CrashIssuesDocument, variables, ({ crashIssues }) => crashIssues);
  const chosen = useChosen(variables, pages.rows);
  const columns = useChoosingColumn(ISSUE_COLUMNS, mayChoose ? chosen : null, 'title');
  return (
    <Page title="Crashes" flush actions={<WithChosen chosen={chosen} rows={pages.rows} shown={shown} />}>
      <CrashTabs here="issues" />
      <Group gap="xs" mb="sm">
        <SearchField label="Search issues" placeholder="Title or location" />
        <Choice label="Status" name="show" choices={SHOWN} />
        <Switch
          label="Assigned to me"
          checked={Boolean(search.mine)}
          onChange={(e) => change({ mine: e.currentTarget.checked ? 'yes' : null })}
        />
        <WhoMay may={mayChoose} weakest="editor" to="resolve and merge crashes" />
      </Group>
      <Rows
        label="Crash issues"
        pages={pages}
        columns={columns}
        to={({ id }) => scopePath(scope, 'crashes', id)}
        order={order}
        onOrder={onOrder}
        empty={
          search.q || search.mine || shown !== 'open' ? (
            <Empty title="No matching issues">Try a different search or filter.</Empty>
          ) : (
            <Empty title="No open issues" action={<Badge color="teal">All clear</Badge>}>
              SDKs send crashes to <code>/api/catch/events</code>. Upload symbols to see names and lines in frames.
              Crashes with the same cause are grouped into one issue.
            </Empty>
          )
        }
      />
    </Page>
  );
}

interface WithChosenProps {
  chosen: Chosen;
  rows: readonly IssueRowFragment[];
  shown: Shown;
}

/** Bulk actions on the selected issues. Merging folds the others into the one selected first. */
function WithChosen({ chosen: { ids, change }, rows, shown }: WithChosenProps) {
  const mayResolve = useMay('catch_issue_resolve');
  const mayTriage = useMay('catch_issue_triage');
  const [resolve, resolving] = useChange(ResolveIssuesDocument);
  const [merge, merging] = useChange(MergeIssuesDocument);
  const reopenAsBefore = useReopening();
  const [unmerge] = useChange(UnmergeIssueDocument);
  if (ids.length === 0) return null;
  const [intoId = '', ...others] = ids;
  const resolveAll = async () => {
    const answered = await resolve({ ids: [...ids] }, `${ids.length} resolved. They reopen if they happen again.`, () =>
      Promise.all(rows.filter(({ id }) => ids.includes(id)).map((issue) => reopenAsBefore(issue))),
    );
    if (!answered.error) change(answered.refused);
  };
  const mergeAll = async () => {
    const { error } = await merge(
      { input: { intoId, ids: others } },
      `${ids.length} issues merged. You can unmerge them on the issue's page.`,
      () => Promise.all(others.map((id) => unmerge({ id }))),
    );
    if (!error) change([]);
  };
  return (
    <>
      {others.length > 0 && (
        <Permitted may={mayTriage} variant="default" onClick={mergeAll} loading={merging}>
          Merge {ids.length}
        </Permitted>
      )}
      {shown !== 'resolved' && (
        <Permitted may={mayResolve} onClick={resolveAll} loading={resolving}>
          Resolve {ids.length}
        </Permitted>
      )}
    </>
  );
}
