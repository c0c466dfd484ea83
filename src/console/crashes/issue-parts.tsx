import { Alert, Text } from '@mantine/core';
import { type CrashIssueQuery, UnmergeIssueDocument } from '#documents';
import { isolated } from '../data/notify.js';
import { useChange } from '../data/use-document.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { Muted, PageLink } from '../parts/text.js';

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
            <Muted size="xs">{Number(eventCount).toLocaleString('en')} events</Muted>
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
  if (!mergedInto) return null;
  return (
    <Alert mb="md">
      Merged into{' '}
      <PageLink to={['crashes', mergedInto.id]} inherit={false}>
        {mergedInto.title}
      </PageLink>
      , which counts its events.
    </Alert>
  );
}
