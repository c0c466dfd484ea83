import { Group, Progress, Stack, Text } from '@mantine/core';
import { OverviewDocument, type OverviewQuery } from '#documents';
import { useMay, useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { CountsChart } from '../parts/charts/counts-chart.js';
import { HOUR_MS } from '../parts/charts/durations.js';
import { useChartEnd } from '../parts/charts/use-chart-end.js';
import { Page, Panel } from '../parts/page.js';
import { counted } from '../parts/short-numbers.js';
import { Failed, WaitingRows } from '../parts/states.js';
import { capitalized, haltedBy, Muted, PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';
import { Attention } from './attention.js';
import { Figures } from './figures.js';
import { Lately } from './lately.js';

const HOURS = 48;

/** A project's first page: what's wrong, what's happening, what changed. */
export function OverviewPage() {
  const { projectId, environment, projectName } = useScope();
  const to = useChartEnd(HOUR_MS);
  const { data, error } = useDocument(
    OverviewDocument,
    {
      projectId,
      environment,
      from: new Date(to - HOURS * HOUR_MS).toISOString(),
      to: new Date(to).toISOString(),
      mayAudit: useMay('audit_view'),
      maySeeHooks: useMay('webhook_view'),
    },
    { standsIn: true },
  );
  return (
    <Page title={projectName}>
      {error && !data?.project ? <Failed error={error} /> : data ? <Overview data={data} to={to} /> : <WaitingRows />}
    </Page>
  );
}

function Overview({ data, to }: { data: OverviewQuery; to: number }) {
  const { project, eventCounts } = data;
  const halted = project?.flags.nodes ?? [];
  const current = project?.releases.nodes[0];
  return (
    <>
      {halted.length > 0 && (
        <section className="halted" aria-label="Halted flags">
          {halted.map(({ id, key, haltedAt, haltReason, latest }) => (
            <Text size="sm" key={id}>
              <PageLink to={['flags', key]} fw={600}>
                {key}
              </PageLink>{' '}
              halted <When at={haltedAt} />
              {haltedBy(latest.nodes)}: <bdi>{haltReason}</bdi>
            </Text>
          ))}
        </section>
      )}
      <Figures data={data} to={to} />
      {eventCounts?.total === 0 && (
        <Text size="sm" className="hint">
          No events in the last {HOURS} hours. <PageLink to={['start']}>Send the first one</PageLink> with a ready-made
          snippet.
        </Text>
      )}
      <div className="two">
        <Stack gap={0}>
          <Panel
            title="Events per hour"
            aside={
              <Muted size="xs">
                {eventCounts ? counted(eventCounts.total, 'event') : '…'} in {HOURS} hours
              </Muted>
            }
          >
            <CountsChart counts={eventCounts?.intervals ?? []} interval="hour" label="Events" />
          </Panel>
          <Lately entries={project?.auditLog?.nodes} />
        </Stack>
        <Stack gap={0}>
          <Attention data={data} />
          <Panel title="Usage this month">
            <Stack gap="xs">
              {project?.usage.meters.map(({ meter, current: used, limit }) => (
                <div key={meter}>
                  <Group justify="space-between" gap="xs">
                    <Text size="sm" tt="capitalize">
                      {meter}
                    </Text>
                    <Muted size="xs">
                      {used.toLocaleString('en')}
                      {limit === null ? '' : ` of ${limit.toLocaleString('en')}`}
                    </Muted>
                  </Group>
                  {limit !== null && (
                    <Progress
                      value={(100 * used) / limit}
                      color={used > limit * 0.9 ? 'red' : 'deck'}
                      size={5}
                      aria-label={`${meter} used`}
                    />
                  )}
                </div>
              ))}
              <Muted size="xs">
                Plan: {capitalized(project?.usage.plan ?? '')}
                {current ? ` · Current release: ${current.version}` : ''}
              </Muted>
            </Stack>
          </Panel>
        </Stack>
      </div>
    </>
  );
}
