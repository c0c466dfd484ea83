import { Group, Text } from '@mantine/core';
import { CrashIssueDocument } from '#documents';
import { useIsHere, useParam } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { CountsChart } from '../parts/charts/counts-chart.js';
import { Facts } from '../parts/facts.js';
import { Page, Panel } from '../parts/page.js';
import { Absent, Missing } from '../parts/states.js';
import { When } from '../parts/when.js';
import { IssueActions } from './issue-actions.js';
import { IssueEvents } from './issue-events.js';
import { IssueParts, MergedInto } from './issue-parts.js';
import { IssueState, peopleOf } from './issue-state.js';
import { Severity } from './severity.js';
import { SuspectFlags } from './suspect-flags.js';

const DAY_MS = 86_400_000;

/** One issue: how often it happened, since when, where in the code, and what led to it. */
export function IssuePage() {
  const { data, error, fetching } = useDocument(CrashIssueDocument, { id: useParam('issueId') });
  const issue = data?.crashIssue;
  const isHere = useIsHere(issue);
  if (issue && !isHere) return <Missing what="issue" />;
  if (!issue) return <Absent what="issue" error={error} isAsked={fetching} />;
  const firings = issue.firings.nodes;
  const suspects = new Set((issue.suspectFlagChanges ?? []).flatMap(({ flag }) => flag?.key ?? []));
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
      {issue.culprit && (
        <Text size="sm" className="soft" mb="sm">
          in <span className="mono">{issue.culprit}</span>
        </Text>
      )}
      <MergedInto issue={issue} />
      <div className="two">
        <Panel title="Events, last 14 days">
          <CountsChart counts={counts} interval="day" label="Events" height={130} />
        </Panel>
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
      </div>
      <SuspectFlags changes={issue.suspectFlagChanges ?? []} firstSeenAt={issue.firstSeenAt} />
      <IssueEvents issue={issue} suspects={suspects} />
      <IssueParts issue={issue} />
    </Page>
  );
}
