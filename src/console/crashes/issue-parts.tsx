import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type CrashIssueQuery, UnmergeIssueDocument } from '#documents';
import { scopePath, useScope } from '../data/scope.js';
import { isolated } from '../data/tell.js';
import { useChange } from '../data/use-document.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';

type Issue = NonNullable<CrashIssueQuery['crashIssue']>;

/** The issues merged into this one. Each can be unmerged. */
export function IssueParts({ issue: { merged, viewerCan } }: { issue: Issue }) {
  const [unmerge, unmerging] = useChange(UnmergeIssueDocument);
  if (merged.length === 0) return null;
  return (
    <Panel title="Merged issues">
      {merged.map(({ id, title, culprit, eventCount }) => (
        <div key={id} className="entry">
          <div>
            <Text size="sm">
              <strong>{title}</strong> <span className="soft mono">{culprit}</span>
            </Text>
            <Text size="xs" c="dimmed">
              {Number(eventCount).toLocaleString('en')} events
            </Text>
          </div>
          <Permitted
            may={viewerCan.includes('catch_issue_triage')}
            variant="default"
            size="compact-xs"
            loading={unmerging}
            onClick={() => unmerge({ id }, `${isolated(title)} unmerged.`)}
          >
            Unmerge
          </Permitted>
        </div>
      ))}
    </Panel>
  );
}

/** Links to the issue that counts a merged issue's events. */
export function MergedInto({ issue: { mergedInto } }: { issue: Issue }) {
  const scope = useScope();
  if (!mergedInto) return null;
  return (
    <Alert mb="md">
      Merged into{' '}
      <Anchor component={Link} to={scopePath(scope, 'crashes', mergedInto.id)}>
        {mergedInto.title}
      </Anchor>
      , which counts its events.
    </Alert>
  );
}
