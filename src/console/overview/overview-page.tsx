import { Anchor, Progress, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { OverviewDocument, type OverviewQuery } from '#documents';
import { scopePath, useMay, useScope } from '../app/scope.js';
import { useDocument } from '../data/use-document.js';
import { CountsChart } from '../parts/counts-chart.js';
import { Page, Panel } from '../parts/page.js';
import { Failed, WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';

const HOUR_MS = 3_600_000;
const HOURS = 48;

/** What a team looks at first: what is wrong, what is going on, what was changed. */
export function OverviewPage() {
  const { projectId, environment, projectName } = useScope();
  const [to] = useState(() => Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
  const { data, error } = useDocument(OverviewDocument, {
    projectId,
    environment,
    from: new Date(to - HOURS * HOUR_MS).toISOString(),
    to: new Date(to).toISOString(),
    mayAudit: useMay('audit_view'),
    maySeeHooks: useMay('webhook_view'),
  });
  return (
    <Page title={projectName}>
      {error && !data?.project ? <Failed error={error} /> : data ? <Overview data={data} /> : <WaitingRows />}
    </Page>
  );
}

function Overview({ data }: { data: OverviewQuery }) {
  const scope = useScope();
  const { project, eventCounts } = data;
  const halted = project?.flags.nodes ?? [];
  const current = project?.releases.nodes[0];
  return (
    <>
      {halted.length > 0 && (
        <section className="halted" aria-label="Halts in force">
          {halted.map(({ id, key, haltedAt, haltReason }) => (
            <Text size="sm" key={id}>
              <Anchor component={Link} to={scopePath(scope, 'flags', key)} inherit fw={600}>
                {key}
              </Anchor>{' '}
              halted <When at={haltedAt} />: {haltReason}
            </Text>
          ))}
        </section>
      )}
      <div className="two">
        <Stack gap={0}>
          <Panel
            title="Events by the hour"
            aside={
              <Text size="xs" c="dimmed">
                {(eventCounts?.total ?? 0).toLocaleString('en')} in {HOURS} hours, UTC
              </Text>
            }
          >
            <CountsChart counts={eventCounts?.intervals ?? []} interval="hour" label="Events by the hour" />
          </Panel>
          <Lately entries={project?.auditLog?.nodes} />
        </Stack>
        <Stack gap={0}>
          <Attention data={data} />
          <Panel title="This month">
            <Stack gap="xs">
              {project?.usage.meters.map(({ meter, current: used, limit }) => (
                <div key={meter}>
                  <Text size="sm">
                    {meter}: {used.toLocaleString('en')}
                    {limit === null ? '' : ` of ${limit.toLocaleString('en')}`}
                  </Text>
                  {limit !== null && (
                    <Progress
                      value={(100 * used) / limit}
                      color={used > limit * 0.9 ? 'red' : 'deck'}
                      size="sm"
                      aria-label={`${meter} used`}
                    />
                  )}
                </div>
              ))}
              <Text size="xs" c="dimmed">
                Plan {project?.usage.plan}
                {current ? `; release ${current.version} is out` : ''}
              </Text>
            </Stack>
          </Panel>
        </Stack>
      </div>
    </>
  );
}

/** What somebody should do something about. */
function Attention({ data: { project, missingSymbols } }: { data: OverviewQuery }) {
  const scope = useScope();
  const failing = project?.webhookSubscriptions?.nodes.filter(({ failingSince }) => failingSince) ?? [];
  const issues = project?.crashIssues.nodes ?? [];
  const lines: ReactNode[] = [
    ...failing.map(({ id, url, failingSince }) => (
      <Text size="sm" key={id}>
        Webhook{' '}
        <Anchor component={Link} to={scopePath(scope, 'webhooks', id)} inherit>
          {url}
        </Anchor>{' '}
        fails since <When at={failingSince} />
      </Text>
    )),
    ...((missingSymbols?.length ?? 0) > 0
      ? [
          <Text size="sm" key="symbols">
            <Anchor component={Link} to={scopePath(scope, 'crashes', 'symbols')} inherit>
              Symbols are missing
            </Anchor>{' '}
            for {missingSymbols?.length} builds
          </Text>,
        ]
      : []),
    ...issues.map(({ id, title, eventCount, lastSeenAt }) => (
      <Text size="sm" key={id} className="cut">
        <Anchor component={Link} to={scopePath(scope, 'crashes', id)} inherit>
          {title}
        </Anchor>{' '}
        <span className="soft">
          {eventCount}×, <When at={lastSeenAt} />
        </span>
      </Text>
    )),
  ];
  return (
    <Panel
      title="Needs somebody"
      aside={
        <Text size="xs" c="dimmed">
          {project?.crashIssues.totalCount ?? 0} open issues
        </Text>
      }
    >
      <Stack gap={6}>
        {lines.length > 0 ? (
          lines
        ) : (
          <Text size="sm" c="dimmed">
            Nothing. No open crash, no failing webhook, no missing symbol.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

type Entry = NonNullable<NonNullable<OverviewQuery['project']>['auditLog']>['nodes'][number];

function Lately({ entries }: { entries: readonly Entry[] | undefined }) {
  const scope = useScope();
  if (!entries) return null;
  return (
    <Panel
      title="Changed lately"
      aside={
        <Anchor component={Link} to={scopePath(scope, 'audit')} size="xs">
          All of it
        </Anchor>
      }
    >
      <table className="plain-table">
        <tbody>
          {entries.map(({ id, kind, actorEmail, inEnvironment, createdAt }) => (
            <tr key={id}>
              <td>
                <span className="mono">{kind}</span>
                <Text size="xs" c="dimmed">
                  {[actorEmail, inEnvironment].filter(Boolean).join(', ')}
                </Text>
              </td>
              <td className="when">
                <When at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
