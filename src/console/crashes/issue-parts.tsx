import { Alert, Text } from '@mantine/core';
import { type CrashIssueQuery, UnmergeIssueDocument } from '#documents';
import { isolated } from '../data/notify.js';
import { useChange } from '../data/use-document.js';
import { Facts } from '../parts/facts.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { Muted, PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';
import { peopleOf } from './issue-state.js';

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

/** How often and since when an issue happened, to whom and in which releases. */
export function AtAGlance({ issue }: { issue: Issue }) {
  const firings = issue.firings.nodes;
  return (
    <Panel title="At a glance">
      <Facts
        facts={{
          Events: Number(issue.eventCount).toLocaleString('en'),
          People: `${peopleOf(issue)} in 14 days`,
          'First seen': <When at={issue.firstSeenAt} />,
          'Last seen': <When at={issue.lastSeenAt} />,
          Releases: [...new Set([issue.firstRelease, issue.lastRelease].filter(Boolean))].join(' to ') || 'unknown',
          Platform: issue.platform,
          ...(firings.length > 0
            ? {
                Alerts: firings.map(({ firedAt, rule }) => (
                  <div key={firedAt}>
                    <bdi>{rule?.name}</bdi>, <When at={firedAt} />
                  </div>
                )),
              }
            : {}),
        }}
      />
    </Panel>
  );
}
