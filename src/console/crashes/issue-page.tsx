import { Group, Text } from '@mantine/core';
import { CrashIssueDocument } from '#documents';
import { useIsHere, useParam } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { CountsChart } from '../parts/charts/counts-chart.js';
import { DAY_MS } from '../parts/charts/durations.js';
import { Page, Panel } from '../parts/page.js';
import { Absent, Missing } from '../parts/states.js';
import { When } from '../parts/when.js';
import { IssueActions } from './issue-actions.js';
import { IssueEvents } from './issue-events.js';
import { IssueParts, MergedInto } from './issue-parts.js';
import { IssueState } from './issue-state.js';
import { Severity } from './severity.js';

/** One issue: where in the code it happens and what led to it, how often, and since when. */
export function IssuePage() {
  const { data, error, fetching } = useDocument(CrashIssueDocument, { id: useParam('issueId') });
  const issue = data?.crashIssue;
  const isHere = useIsHere(issue);
  if (issue && !isHere) return <Missing what="issue" />;
  if (!issue) return <Absent what="issue" error={error} isAsked={fetching} />;
  const { from, days } = issue.activity;
  const counts = days.map((count, day) => ({ at: new Date(Date.parse(from) + day * DAY_MS).toISOString(), count }));
  return (
    <Page
      title={issue.title}
      above={{ name: 'Crashes', path: 'crashes' }}
      audited={{ objectType: 'crash_issue', objectId: issue.id }}
      beside={
        <Group gap={6}>
          <Severity level={issue.severity} />
          <IssueState issue={issue} />
        </Group>
      }
      actions={<IssueActions issue={issue} />}
    >
      <Text size="sm" className="soft" mb="sm">
        {issue.culprit && (
          <>
            in <span className="mono">{issue.culprit}</span>,{' '}
          </>
        )}
        first seen <When at={issue.firstSeenAt} />
        {issue.firstRelease && (
          <>
            {' '}
            in release <bdi>{issue.firstRelease}</bdi>
          </>
        )}
      </Text>
      <MergedInto issue={issue} />
      <IssueEvents issue={issue} />
      <Panel title="Events, last 14 days">
        <CountsChart counts={counts} interval="day" label="Events" height={130} />
      </Panel>
      <IssueParts issue={issue} />
    </Page>
  );
}
