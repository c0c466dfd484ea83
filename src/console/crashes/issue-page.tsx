import { Badge, Group, Text } from '@mantine/core';
import { CrashIssueDocument, type IssueRowFragment, ReprocessDocument, ResolveIssueDocument } from '#documents';
import { useParam, useScope } from '../app/scope.js';
import { isNotFound } from '../data/failures.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Facts } from '../parts/facts.js';
import { Page, Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { Failed, Missing, Waiting } from '../parts/states.js';
import { When } from '../parts/when.js';
import { IssueEvents } from './issue-events.js';
import { Severity } from './severity.js';

/** One issue: how often, since when, where in the code, and what led there. */
export function IssuePage() {
  const { data, error, fetching } = useDocument(CrashIssueDocument, { id: useParam('issueId') });
  const issue = data?.crashIssue;
  if (!issue && isNotFound(error)) return <Missing what="issue" />;
  if (!issue && error && !fetching) return <Failed error={error} />;
  if (!issue) return <Waiting />;
  const firings = issue.firings.nodes;
  return (
    <Page
      title={issue.title}
      above={{ name: 'Crashes', path: 'crashes' }}
      beside={
        <Group gap={6}>
          <Severity level={issue.severity} />
          <Badge color={issue.status === 'resolved' ? 'teal' : 'red'}>{issue.status}</Badge>
        </Group>
      }
      actions={<Actions issue={issue} />}
    >
      <Text size="sm" className="mono soft" mb="md">
        {issue.culprit}
      </Text>
      <Panel title="At a glance">
        <Facts
          facts={{
            Events: Number(issue.eventCount).toLocaleString('en'),
            'First seen': <When at={issue.firstSeenAt} />,
            'Last seen': <When at={issue.lastSeenAt} />,
            Releases: [...new Set([issue.firstRelease, issue.lastRelease].filter(Boolean))].join(' to ') || 'not said',
            Platform: issue.platform,
            ...(firings.length > 0
              ? {
                  Alerts: firings.map(({ firedAt, rule }) => (
                    <div key={firedAt}>
                      {rule?.name}, <When at={firedAt} />
                    </div>
                  )),
                }
              : {}),
          }}
        />
      </Panel>
      <IssueEvents issueId={issue.id} />
    </Page>
  );
}

function Actions({ issue }: { issue: IssueRowFragment }) {
  const { projectId, environment } = useScope();
  const [resolve, resolving] = useChange(ResolveIssueDocument);
  const [reprocess, reprocessing] = useChange(ReprocessDocument);
  return (
    <>
      <Permitted
        may={issue.viewerCan.includes('catch_crash_reprocess')}
        variant="default"
        loading={reprocessing}
        onClick={() =>
          reprocess(
            { input: { projectId, environment, issueId: issue.id } },
            'Its frames are read again with the symbols of now.',
          )
        }
      >
        Read frames again
      </Permitted>
      {issue.status === 'open' && (
        <Permitted
          may={issue.viewerCan.includes('catch_issue_resolve')}
          loading={resolving}
          onClick={() => resolve({ id: issue.id }, 'Resolved; it comes back if it happens again.')}
        >
          Resolve
        </Permitted>
      )}
    </>
  );
}
