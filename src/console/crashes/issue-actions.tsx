import { Menu, Select } from '@mantine/core';
import {
  AssignIssueDocument,
  type IgnoreCrashIssueInput,
  IgnoreIssueDocument,
  type IssueRowFragment,
  ReopenIssueDocument,
  ReprocessDocument,
  ResolveIssueDocument,
} from '#documents';
import { useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { DAY_MS, HOUR_MS } from '../parts/charts/durations.js';
import { useMembers } from '../parts/fields/use-members.js';
import { Permitted } from '../parts/permitted.js';

const NOBODY = 'nobody';

const SPANS: Readonly<Record<string, () => Partial<IgnoreCrashIssueInput>>> = {
  'for an hour': () => ({ until: new Date(Date.now() + HOUR_MS).toISOString() }),
  'for a day': () => ({ until: new Date(Date.now() + DAY_MS).toISOString() }),
  'for a week': () => ({ until: new Date(Date.now() + 7 * DAY_MS).toISOString() }),
  'until 10 more events': () => ({ events: 10 }),
  'until 100 more events': () => ({ events: 100 }),
  'until 1,000 more events': () => ({ events: 1_000 }),
  indefinitely: () => ({}),
};

/** Restores an issue to its last shown state: if it was ignored, for the rest of that time or number of events. */
export function useReopening(): (issue: IssueRowFragment, done?: string) => Promise<unknown> {
  const [reopen] = useChange(ReopenIssueDocument);
  const [ignore] = useChange(IgnoreIssueDocument);
  return ({ id, ignored, ignoredUntil: until, ignoredUntilCount, eventCount }, done) => {
    const events = ignoredUntilCount === null ? null : Number(ignoredUntilCount) - Number(eventCount);
    const isOver = (until !== null && Date.parse(until) <= Date.now()) || (events !== null && events < 1);
    return ignored && !isOver ? ignore({ input: { id, until, events } }, done) : reopen({ id }, done);
  };
}

/** Actions on an issue: assign, resolve, ignore, reopen, symbolicate again. */
export function IssueActions({ issue }: { issue: IssueRowFragment }) {
  const { projectId, environment } = useScope();
  const { id, status, ignored, viewerCan } = issue;
  const mayTriage = viewerCan.includes('catch_issue_triage');
  const [resolve, resolving] = useChange(ResolveIssueDocument);
  const [reopen, reopening] = useChange(ReopenIssueDocument);
  const [reprocess, reprocessing] = useChange(ReprocessDocument);
  const isQuiet = ignored || status === 'resolved';
  const reopenAsBefore = useReopening();
  const openAgain = () => reopenAsBefore(issue, ignored ? 'Ignored again.' : 'Reopened.');
  const undoReopening = status === 'resolved' ? () => resolve({ id }, 'Resolved again.') : openAgain;
  return (
    <>
      <Assignee issue={issue} may={mayTriage} />
      <Permitted
        may={viewerCan.includes('catch_crash_reprocess')}
        variant="default"
        loading={reprocessing}
        onClick={() =>
          reprocess(
            { input: { projectId, environment, issueId: id } },
            'Symbolicating its events again with the current symbols.',
          )
        }
      >
        Symbolicate again
      </Permitted>
      {isQuiet ? (
        <Permitted may={mayTriage} loading={reopening} onClick={() => reopen({ id }, 'Reopened.', undoReopening)}>
          Reopen
        </Permitted>
      ) : (
        <Ignore issueId={id} may={mayTriage} undo={openAgain} />
      )}
      {status === 'open' && (
        <Permitted
          may={viewerCan.includes('catch_issue_resolve')}
          loading={resolving}
          onClick={() => resolve({ id }, 'Resolved. It reopens if it happens again.', openAgain)}
        >
          Resolve
        </Permitted>
      )}
    </>
  );
}

function Ignore({ issueId, may, undo }: { issueId: string; may: boolean; undo: () => unknown }) {
  const [ignore, ignoring] = useChange(IgnoreIssueDocument);
  if (!may)
    return (
      <Permitted may={false} variant="default">
        Ignore
      </Permitted>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Permitted may variant="default" loading={ignoring}>
          Ignore
        </Permitted>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>No alerts</Menu.Label>
        {Object.entries(SPANS).map(([name, span]) => (
          <Menu.Item key={name} onClick={() => ignore({ input: { id: issueId, ...span() } }, `Ignored ${name}.`, undo)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Assignee({ issue: { id, assignee }, may }: { issue: IssueRowFragment; may: boolean }) {
  const { members, onSearchChange } = useMembers({ chosen: assignee, pause: !may });
  const [assign] = useChange(AssignIssueDocument);
  const give = (userId: string | null, undo?: () => unknown) =>
    assign({ input: { id, userId } }, userId === null ? 'Unassigned.' : 'Assigned.', undo);
  return (
    <Select
      aria-label="Assigned to"
      searchable
      disabled={!may}
      data={[{ value: NOBODY, label: 'Unassigned' }, ...members]}
      onSearchChange={onSearchChange}
      value={assignee?.id ?? NOBODY}
      onChange={(next) => give(next === NOBODY ? null : next, () => give(assignee?.id ?? null))}
      w={200}
    />
  );
}
